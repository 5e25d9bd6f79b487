package io.sedge.tensor;

import io.sedge.tensor.internal.DeviceNameReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a device, or a pattern for several: {@code /job:ps/replica:0/task:1/device:CPU:0}. A
 * part that is left out, or given as {@code *}, is null and stands for all.
 *
 * <p>Reads what TensorFlow's own {@code DeviceNameUtils::ParseFullName} reads, including the old
 * forms {@code /cpu:0} and {@code /gpu:0}.
 *
 * @param job the job
 * @param replica the replica, which is 0 in every cluster of this module
 * @param task the task's index
 * @param type the type of device, for example {@code CPU}
 * @param id the number of the device among those of its type
 */
public record DeviceName(
    @Nullable String job,
    @Nullable Integer replica,
    @Nullable Integer task,
    @Nullable String type,
    @Nullable Integer id) {

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if TensorFlow would not read it
   */
  public static DeviceName of(String name) {
    return parse(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + name
                        + "' is not a device name: parts such as /job:worker, /task:0 and"
                        + " /device:GPU:* were expected, in that form"));
  }

  /** Reads a name; empty if TensorFlow would not read it. */
  public static Optional<DeviceName> parse(String name) {
    return DeviceNameReader.read(name);
  }

  /**
   * Whether this name and the other agree in every part that both have: TensorFlow's rule for
   * whether a device filter lets a device through.
   */
  public boolean agreesWith(DeviceName other) {
    return agrees(job, other.job)
        && agrees(replica, other.replica)
        && agrees(task, other.task)
        && agrees(type, other.type)
        && agrees(id, other.id);
  }

  private static boolean agrees(@Nullable Object one, @Nullable Object other) {
    return one == null || other == null || one.equals(other);
  }

  /** The name in TensorFlow's full form, without the parts that stand for all. */
  @Override
  public String toString() {
    StringBuilder name = new StringBuilder();
    append(name, "/job:", job);
    append(name, "/replica:", replica);
    append(name, "/task:", task);
    if (type != null || id != null) {
      name.append("/device:").append(type == null ? "*" : type);
      name.append(':').append(id == null ? "*" : id.toString());
    }
    return name.isEmpty() ? "/" : name.toString();
  }

  private static void append(StringBuilder name, String label, @Nullable Object part) {
    if (part != null) {
      name.append(label).append(part);
    }
  }
}
