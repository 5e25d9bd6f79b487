package io.sedge.site.internal.membership;

import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.Remark;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.device.TaskWork;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the devices of a site say of its tasks, as the ledger has it from their reports; of the
 * asked device's own tasks what that says itself, which is also true while no report gets through.
 */
final class Remarks {
  private final Map<String, Map<String, Remark>> reported = new TreeMap<>();
  private final Map<String, String> own;
  private final Map<TaskId, String> nowhere;

  /**
   * @param present whether a device is not gone: what others said last may be long past
   * @param own tasks of the asked device
   * @param nowhere why no device can take a task, of those of which that is so
   */
  Remarks(
      SiteState state, Predicate<Device> present, List<TaskWork> own, Map<TaskId, String> nowhere) {
    for (Device device : state.devices()) {
      if (present.test(device)) {
        reported.put(device.name(), device.measures().remarks());
      }
    }
    this.own =
        own.stream().collect(Collectors.toMap(task -> task.id().toString(), TaskWork::remark));
    this.nowhere = nowhere;
  }

  /** A remark of a device. */
  private record Said(Task task, String device, Remark remark) {
    String text() {
      return "task %s on %s: %s".formatted(task.id().shard(), device, remark.text());
    }
  }

  private Optional<Remark> reported(Task task) {
    return Optional.ofNullable(
        reported.getOrDefault(task.device(), Map.of()).get(task.id().toString()));
  }

  /** Of a task, by the device that has it, or why none can take it; else empty. */
  String of(Task task) {
    String unplaced = nowhere.get(task.id());
    if (unplaced != null) {
      return unplaced;
    }
    String ofOwn = own.get(task.id().toString());
    return ofOwn == null ? reported(task).map(Remark::text).orElse("") : ofOwn;
  }

  /** Whether a device has it, and does not say that it stands still there. */
  boolean isRunning(Task task) {
    return !task.device().isEmpty()
        && reported(task).filter(remark -> remark.kind() != Remark.Kind.RUNS).isEmpty();
  }

  /**
   * Which devices cannot compile a job; else why no device can take one of its tasks; else the
   * worst that is said of them; else empty.
   */
  String of(Job job, List<Task> tasks) {
    String uncompiled = uncompiled(job);
    return uncompiled.isEmpty() ? unplaced(tasks).orElseGet(() -> worst(tasks)) : uncompiled;
  }

  private Optional<String> unplaced(List<Task> tasks) {
    return tasks.stream()
        .filter(task -> nowhere.containsKey(task.id()))
        .findFirst()
        .map(task -> "task %s %s".formatted(task.id().shard(), nowhere.get(task.id())));
  }

  private String worst(List<Task> tasks) {
    return tasks.stream()
        .flatMap(this::said)
        .filter(said -> said.remark().kind() != Remark.Kind.BEGINS)
        .min(Comparator.comparing(said -> said.remark().kind()))
        .map(Said::text)
        .orElse("");
  }

  /** By the device that has the task; if none has it, by all. */
  private Stream<Said> said(Task task) {
    return reported.entrySet().stream()
        .filter(device -> task.device().isEmpty() || task.device().equals(device.getKey()))
        .flatMap(
            device ->
                Optional.ofNullable(device.getValue().get(task.id().toString()))
                    .map(remark -> new Said(task, device.getKey(), remark))
                    .stream());
  }

  private String uncompiled(Job job) {
    return reported.entrySet().stream()
        .map(
            device -> {
              Remark remark = device.getValue().get(job.name());
              return remark == null ? null : "%s: %s".formatted(device.getKey(), remark.text());
            })
        .filter(Objects::nonNull)
        .collect(Collectors.joining("; "));
  }
}
