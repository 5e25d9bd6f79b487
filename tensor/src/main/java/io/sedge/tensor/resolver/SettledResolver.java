package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What resolvers with {@link ResolverSettings} have in common. */
abstract class SettledResolver implements ClusterResolver {
  final ResolverSettings settings;

  SettledResolver(ResolverSettings settings) {
    this.settings = settings;
  }

  @Override
  public @Nullable String taskType() {
    return settings.taskType();
  }

  @Override
  public @Nullable Integer taskId() {
    return settings.taskId();
  }

  @Override
  public @Nullable String rpcLayer() {
    return settings.rpcLayer();
  }

  @Override
  public String environment() {
    return settings.environment();
  }

  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String text : devices().deviceNames()) {
      DeviceName name = DeviceName.of(text);
      boolean asked =
          taskType == null
              || taskId == null
              || (taskType.equals(name.job()) && taskId.equals(name.task()));
      @Nullable String type = name.type();
      if (asked && type != null && !type.toUpperCase(Locale.ROOT).endsWith("CPU")) {
        counts.merge(type, 1, Integer::sum);
      }
    }
    return counts;
  }

  final DeviceLister devices() {
    @Nullable DeviceLister lister = settings.devices();
    if (lister == null) {
      throw new UnsupportedOperationException(
          getClass().getSimpleName()
              + " was made without a list of devices, so accelerators cannot be counted: give its"
              + " settings a DeviceLister");
    }
    return lister;
  }

  /** The address with the protocol asked for, else the resolver's own, before it. */
  final String url(@Nullable String askedLayer, String address) {
    @Nullable String layer = askedLayer == null ? rpcLayer() : askedLayer;
    return layer == null || layer.isEmpty() ? address : layer + "://" + address;
  }

  static <T> T or(@Nullable T asked, T found) {
    return asked == null ? found : asked;
  }

  /** The address of a task; a refusal is turned into the resolver's. */
  static String address(
      ClusterSpec spec, String whose, Reason reason, String taskType, int taskId) {
    return translate(whose, reason, () -> spec.taskAddress(taskType, taskId));
  }

  /**
   * The answer of a question to what {@code whose} gave; a refusal is turned into the resolver's.
   */
  static <T> T translate(String whose, Reason reason, Supplier<T> question) {
    try {
      return question.get();
    } catch (IllegalArgumentException e) {
      throw new ClusterResolutionException(reason, whose + ": " + e.getMessage(), e);
    }
  }

  /**
   * The master by the rule for clusters that a program is told of whole: this process where there
   * is one task or none, else the task.
   */
  final String masterOfWhole(
      ClusterSpec spec, String whose, @Nullable String taskType, @Nullable Integer taskId) {
    if (spec.isEmpty()
        || (spec.jobs().size() == 1 && spec.jobTasks(spec.jobs().getFirst()).size() == 1)) {
      return "";
    }
    if (taskType == null || taskId == null) {
      throw new ClusterResolutionException(
          Reason.INVALID,
          whose
              + " has several tasks and does not say "
              + (taskType == null ? "which job" : "which task of job '" + taskType + "'")
              + " this process is; say it there, or in the resolver's settings");
    }
    return address(spec, whose, Reason.INVALID, taskType, taskId);
  }
}
