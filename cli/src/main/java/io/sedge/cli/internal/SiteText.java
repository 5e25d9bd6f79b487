package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.cli.internal.output.Style;
import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.InputProgress;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.LedgerStatus;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import io.sedge.task.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A site as lines of text. */
final class SiteText {
  private static final int MAX_REMARK = 120;

  private final boolean colours;

  SiteText(boolean colours) {
    this.colours = colours;
  }

  /** All of it. */
  List<String> lines(SiteStatus status) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "site %s, asked %s; %s"
            .formatted(
                status.site(),
                status.device(),
                status.leader().isEmpty()
                    ? Style.RED.on(
                        colours, "no leader: nothing is committed, and jobs are shown as they were")
                    : status.leader() + " leads"));
    lines.add(ledger(status.ledger()));
    AuthorityText.warning(status).ifPresent(lines::add);
    lines.add("");
    lines.addAll(devices(status));
    if (!status.jobs().isEmpty()) {
      lines.add("");
      lines.addAll(jobs(status.jobs()));
    }
    if (!status.tasks().isEmpty()) {
      lines.add("");
      lines.addAll(tasks(status.tasks()));
    }
    return lines;
  }

  private static String ledger(LedgerStatus ledger) {
    return "ledger entry %,d; %s, %d vote; state %s of %s, undelivered rows %s of %s"
        .formatted(
            ledger.index(),
            ledger.members() == 1 ? "1 member" : ledger.members() + " members",
            ledger.voters(),
            Quantities.bytes(ledger.stateBytes()),
            Quantities.bytes(ledger.maxStateBytes()),
            Quantities.bytes(ledger.outboxBytes()),
            Quantities.bytes(ledger.maxOutboxBytes()));
  }

  private List<String> devices(SiteStatus status) {
    TextTable table =
        new TextTable(
            "device",
            "state",
            ">tasks",
            ">speed/s",
            ">load/s",
            ">busy",
            ">heap",
            ">memory",
            ">entries/s",
            ">fsyncs/s",
            ">writes/s",
            "address",
            "labels");
    for (DeviceStatus device : status.devices()) {
      table.add(
          device.name(),
          state(device, status.leader()),
          Integer.toString(device.shards()),
          rate(device.speed()),
          rate(device.load()),
          String.format(Locale.ROOT, "%.0f %%", device.busy() * 100),
          bytes(device.use().heapBytes()),
          bytes(device.use().residentBytes()),
          tenths(device.use().entriesPerSecond()),
          tenths(device.use().syncsPerSecond()),
          bytes((long) device.use().writtenBytesPerSecond()),
          device.address(),
          device.labels().entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(label -> label.getKey() + "=" + label.getValue())
              .collect(Collectors.joining(" ")));
    }
    return styled(
        table,
        i -> {
          DeviceStatus device = status.devices().get(i);
          return device.state() == DeviceState.EXPELLED || !device.alive();
        });
  }

  private static String state(DeviceStatus device, String leader) {
    if (device.state() == DeviceState.EXPELLED) {
      return "expelled";
    }
    String presence =
        device.alive() || device.stopped()
            ? presence(device)
            : "gone for " + Quantities.duration(Duration.ofMillis(device.silentMillis()));
    String state = device.state() == DeviceState.DRAINING ? presence + ", draining" : presence;
    String withMember = device.member() ? state : state + ", no member";
    return device.name().equals(leader) ? withMember + ", leads" : withMember;
  }

  /** Whether it is there, in a word. */
  static String presence(DeviceStatus device) {
    if (device.alive()) {
      return "up";
    }
    return device.stopped() ? "stopped" : "gone";
  }

  private static String rate(double perSecond) {
    return perSecond <= 0 ? "-" : String.format(Locale.ROOT, "%,.0f", perSecond);
  }

  private static String bytes(long bytes) {
    return bytes < 0 ? "-" : Quantities.bytes(bytes);
  }

  /** The jobs alone. */
  List<String> jobs(List<JobStatus> jobs) {
    TextTable table =
        new TextTable(
            "job",
            "state",
            ">tasks",
            ">running",
            ">readings/s",
            ">lag s",
            ">done",
            ">rows",
            ">undelivered",
            "why");
    for (JobStatus job : jobs) {
      table.add(
          job.name(),
          job.state().name().toLowerCase(Locale.ROOT)
              + (job.given() == 0 ? "" : ", center's version " + job.given()),
          Integer.toString(job.tasks()),
          Integer.toString(job.runningTasks()),
          rate(job.readingsPerSecond()),
          tenths(job.lagSeconds()),
          done(job.input()),
          "%,d".formatted(job.rows()),
          "%,d".formatted(job.waitingRows()),
          job.detail());
    }
    return styled(table, i -> jobs.get(i).state().hasEnded());
  }

  private static String done(InputProgress input) {
    if (input.parts() == 0) {
      return "-";
    }
    String done = String.format(Locale.ROOT, "%.0f %%", Math.floor(input.fraction() * 100));
    return input.secondsLeft() < 0
        ? done
        : done + String.format(Locale.ROOT, ", %,.0f s left", input.secondsLeft());
  }

  private static String tenths(double number) {
    return number < 0 ? "-" : String.format(Locale.ROOT, "%.1f", number);
  }

  /** One line for each task, those of a device together. */
  private List<String> tasks(List<TaskStatus> tasks) {
    TextTable table =
        new TextTable(
            "task", "runs on", ">epoch", ">commits", ">readings/s", ">lag s", ">state", "remark");
    Map<String, TaskStatus> sorted = new TreeMap<>();
    tasks.forEach(task -> sorted.put(task.device() + " " + task.job() + " " + task.shard(), task));
    List<TaskStatus> shown = List.copyOf(sorted.values());
    for (TaskStatus task : shown) {
      table.add(
          task.job() + "/" + task.shard(),
          task.device().isEmpty() ? "nowhere" : task.device(),
          Long.toString(task.epoch()),
          "%,d".formatted(task.commits()),
          rate(task.readingsPerSecond()),
          tenths(task.lagSeconds()),
          Quantities.bytes(task.stateBytes()),
          cut(Printable.text(task.remark())));
    }
    return styled(table, i -> shown.get(i).device().isEmpty());
  }

  /** The rest is in the log. */
  private static String cut(String remark) {
    return remark.length() <= MAX_REMARK ? remark : remark.substring(0, MAX_REMARK) + "…";
  }

  private interface Rows {
    boolean test(int index);
  }

  /** The header bright, rows that matter less dark. */
  private List<String> styled(TextTable table, Rows dim) {
    List<String> lines = table.lines();
    List<String> styled = new ArrayList<>();
    styled.add(Style.BOLD.on(colours, lines.getFirst()));
    for (int i = 1; i < lines.size(); i++) {
      styled.add(dim.test(i - 1) ? Style.DIM.on(colours, lines.get(i)) : lines.get(i));
    }
    return styled;
  }
}
