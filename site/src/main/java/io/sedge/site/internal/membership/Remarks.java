package io.sedge.site.internal.membership;

import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.Remark;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.site.internal.device.TaskWork;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What the devices of a site say of its tasks, as the ledger has it from their reports; of the
 * asked device's own tasks what that says itself, which is also true while no report gets through.
 */
final class Remarks {
  private final Map<String, Map<String, Remark>> reported = new TreeMap<>();
  private final Map<String, String> own;

  /**
   * @param present whether a device is not gone: what others said last may be long past
   * @param own tasks of the asked device
   */
  Remarks(SiteState state, Predicate<Device> present, List<TaskWork> own) {
    for (Device device : state.devices()) {
      if (present.test(device)) {
        reported.put(device.name(), device.measures().remarks());
      }
    }
    this.own =
        own.stream().collect(Collectors.toMap(task -> task.id().toString(), TaskWork::remark));
  }

  private Optional<Remark> reported(Task task) {
    return Optional.ofNullable(
        reported.getOrDefault(task.device(), Map.of()).get(task.id().toString()));
  }

  /** Of a task, by the device that has it; else empty. */
  String of(Task task) {
    String ofOwn = own.get(task.id().toString());
    return ofOwn == null ? reported(task).map(Remark::text).orElse("") : ofOwn;
  }

  /** Whether a device has it, and does not say that it stands still there. */
  boolean isRunning(Task task) {
    return !task.device().isEmpty()
        && reported(task).filter(remark -> remark.kind() != Remark.Kind.RUNS).isEmpty();
  }

  /** Which devices cannot compile a job; else empty. */
  String of(Job job) {
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
