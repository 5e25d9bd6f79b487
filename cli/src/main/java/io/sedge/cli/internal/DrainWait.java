package io.sedge.cli.internal;

import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Waits until a device that is being drained has no tasks, and says which it still has and why. */
final class DrainWait {
  private static final long LOOK_MILLIS = 250;

  /** After so many looks at which nothing changed, it is said why: tasks may stay for good. */
  static final int LOOKS_BEFORE_WHY = 20;

  private static final int MAX_NAMES = 3;

  private final Surroundings surroundings;
  private List<TaskStatus> said = List.of();
  private int looks;

  /** What is asked of a site; a part of {@link SiteControl}. */
  interface Site {
    SiteStatus status() throws SiteException;

    String why(String job, String shard) throws SiteException;
  }

  DrainWait(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  static Site of(SiteControl control) {
    return new Site() {
      @Override
      public SiteStatus status() throws SiteException {
        return control.status();
      }

      @Override
      public String why(String job, String shard) throws SiteException {
        return control.why(job, shard);
      }
    };
  }

  /** The tasks that run on a device. */
  static List<TaskStatus> tasks(SiteStatus status, String device) {
    return status.tasks().stream().filter(task -> task.device().equals(device)).toList();
  }

  /**
   * Waits until the device has no tasks, or Ctrl-C, which leaves it being drained.
   *
   * @throws SiteException NOT_NOW if nobody waits any longer, or it is used again; UNKNOWN_NAME if
   *     it is removed meanwhile
   */
  void until(Site site, String name) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings.interruptions().onInterrupt(stopped::countDown);
    while (true) {
      SiteStatus status = site.status();
      checkDraining(status, name);
      List<TaskStatus> left = tasks(status, name);
      if (left.isEmpty()) {
        return;
      }
      show(site, name, left);
      if (stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "device %s is drained further, and has %s; nobody waits for it any longer"
                .formatted(name, Printable.count(left.size(), "task")));
      }
    }
  }

  private static void checkDraining(SiteStatus status, String name) throws SiteException {
    DeviceState state =
        status.devices().stream()
            .filter(device -> device.name().equals(name))
            .map(DeviceStatus::state)
            .findFirst()
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.UNKNOWN_NAME,
                        "there is no device %s any more".formatted(name)));
    if (state == DeviceState.ACTIVE) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s is used again: somebody has ended its draining".formatted(name));
    }
  }

  private void show(Site site, String name, List<TaskStatus> left) throws SiteException {
    if (!names(left).equals(names(said))) {
      said = left;
      looks = 0;
      surroundings.err().println("sedge: " + line(name, left));
    } else if (++looks == LOOKS_BEFORE_WHY) {
      TaskStatus first = left.getFirst();
      surroundings.err().println(site.why(first.job(), first.shard()).stripTrailing());
    }
  }

  private static List<String> names(List<TaskStatus> tasks) {
    return tasks.stream().map(task -> task.job() + "/" + task.shard()).toList();
  }

  private static String line(String name, List<TaskStatus> left) {
    return "device %s has %s left: %s%s"
        .formatted(
            name,
            Printable.count(left.size(), "task"),
            names(left).stream().limit(MAX_NAMES).collect(Collectors.joining(", ")),
            left.size() > MAX_NAMES ? ", …" : "");
  }
}
