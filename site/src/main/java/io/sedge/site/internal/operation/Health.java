package io.sedge.site.internal.operation;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.replication.MemberOptions;
import io.sedge.site.internal.device.DeviceWork;
import io.sedge.site.internal.device.TaskWork;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a device does what it is there for. It lives while its agent works; one that does not is
 * to be started anew. It is ready while the ledger answers and its tasks run; one that is not needs
 * something from outside, which its checks name. Any thread.
 */
public final class Health {
  /** An agent works once a second at least; one that swaps may take its time. */
  static final Duration LONGEST_TURN = Duration.ofSeconds(30);

  /** The ledger is asked once a second at least, and what it answers is looked at as often. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(5);

  /** What is told of tasks, at most. */
  private static final int MAX_TOLD = 10;

  private static final int MEGA = 1 << 20;

  private final Probe probe;

  public Health(Probe probe) {
    this.probe = probe;
  }

  /**
   * One thing that was looked at.
   *
   * @param detail what was found; why it is not well, if so
   */
  public record Check(String name, boolean ok, String detail) {}

  /**
   * All that was looked at.
   *
   * @param ok whether all of it is well
   */
  public record Report(String device, boolean ok, List<Check> checks) {
    public Report {
      checks = List.copyOf(checks);
    }

    static Report of(String device, List<Check> checks) {
      return new Report(device, checks.stream().allMatch(Check::ok), checks);
    }
  }

  /** Whether its process does anything at all. */
  public Report live() {
    return Report.of(probe.options().name(), List.of(agent()));
  }

  /** Whether it takes part in its site, whatever its tasks and its disk are like. */
  public Report member() {
    return Report.of(probe.options().name(), List.of(agent(), ledger(), registration()));
  }

  /** Whether it does all that it is to do. */
  public Report ready() {
    return Report.of(
        probe.options().name(),
        List.of(agent(), ledger(), registration(), certificate(), disk(), tasks()));
  }

  private Check agent() {
    long silent = probe.node().silentNanos();
    boolean ok = silent < LONGEST_TURN.toNanos();
    return new Check(
        "agent",
        ok,
        ok ? "works" : "has not worked for %d s".formatted(Duration.ofNanos(silent).toSeconds()));
  }

  private Check ledger() {
    DeviceWork work = probe.node().work();
    long silent = System.nanoTime() - work.heardNanos();
    Optional<String> leader = probe.member().leader();
    if (silent >= LONGEST_SILENCE.toNanos()) {
      return new Check(
          "ledger",
          false,
          "has not answered for %d s: %s"
              .formatted(
                  Duration.ofNanos(silent).toSeconds(),
                  leader.isEmpty()
                      ? "it has no leader; a majority of its voters must be up and reach each other"
                      : leader.get() + " leads, and has no majority or no room"));
    }
    return new Check(
        "ledger",
        leader.isPresent(),
        "%s, term %d, entry %d"
            .formatted(
                leader.map(id -> id + " leads").orElse("no leader"),
                probe.member().term(),
                probe.member().<Long>read(state -> state.appliedIndex())));
  }

  private Check registration() {
    Optional<Device> known = probe.member().read(state -> state.device(probe.options().name()));
    return known
        .map(
            device ->
                new Check(
                    "registration",
                    device.state() != DeviceState.EXPELLED,
                    switch (device.state()) {
                      case ACTIVE -> "is a device of its site";
                      case DRAINING -> "is being drained";
                      case EXPELLED -> "was expelled";
                    }))
        .orElseGet(() -> new Check("registration", false, "the ledger does not know it yet"));
  }

  private Check certificate() {
    Instant end = probe.identity().certificate().getNotAfter().toInstant();
    boolean ok = probe.clock().instant().isBefore(end);
    return new Check(
        "certificate",
        ok,
        (ok ? "valid until " : "has ended at ")
            + end
            + (ok ? "" : "; it renews itself as soon as a device with the authority is reached"));
  }

  private Check disk() {
    try {
      long free = Files.getFileStore(probe.options().data()).getUsableSpace();
      long least = MemberOptions.DEFAULT_RESERVE_BYTES;
      return new Check(
          "disk",
          free >= least,
          "%d MB are free in %s, %d MB must be"
              .formatted(free / MEGA, probe.options().data(), least / MEGA));
    } catch (IOException e) {
      return new Check("disk", false, "%s: %s".formatted(probe.options().data(), e));
    }
  }

  private Check tasks() {
    List<TaskWork> tasks = probe.node().work().tasks();
    List<TaskWork> waiting =
        tasks.stream().filter(task -> !task.running() || !task.why().isEmpty()).toList();
    if (waiting.isEmpty()) {
      List<TaskWork> silent = tasks.stream().filter(task -> !task.silence().isEmpty()).toList();
      return new Check("tasks", true, "%d run".formatted(tasks.size()) + remarks(silent));
    }
    return new Check(
        "tasks",
        false,
        "%d of %d do not run or wait".formatted(waiting.size(), tasks.size()) + remarks(waiting));
  }

  private static String remarks(List<TaskWork> tasks) {
    return tasks.isEmpty()
        ? ""
        : tasks.stream()
            .limit(MAX_TOLD)
            .map(task -> task.id() + ": " + task.remark())
            .collect(Collectors.joining("; ", ": ", tasks.size() > MAX_TOLD ? "; …" : ""));
  }
}
