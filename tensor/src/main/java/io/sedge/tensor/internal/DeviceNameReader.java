package io.sedge.tensor.internal;

import io.sedge.tensor.DeviceName;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads device names as TensorFlow's {@code DeviceNameUtils::ParseFullName} does: parts in any
 * order, a later one of the same kind in place of an earlier one, {@code *} for all.
 */
public final class DeviceNameReader {
  private static final Pattern PART =
      Pattern.compile(
          "/job:(?<job>\\*|[A-Za-z][A-Za-z0-9_]*)"
              + "|/replica:(?<replica>\\*|[0-9]{1,9})"
              + "|/task:(?<task>\\*|[0-9]{1,9})"
              + "|/device:(?<type>\\*|[A-Za-z][A-Za-z0-9_]*)(:(?<id>\\*|[0-9]{1,9}))?"
              + "|/(?<old>cpu|CPU|gpu|GPU):(?<oldId>\\*|[0-9]{1,9})");

  private DeviceNameReader() {}

  /** The name; empty if TensorFlow would refuse it. */
  public static Optional<DeviceName> read(String name) {
    DeviceName read = new DeviceName(null, null, null, null, null);
    if (name.equals("/")) {
      return Optional.of(read);
    }
    Matcher part = PART.matcher(name);
    int end = 0;
    while (end < name.length()) {
      if (!part.find(end) || part.start() != end) {
        return Optional.empty();
      }
      read = with(read, part);
      end = part.end();
    }
    return Optional.of(read);
  }

  private static DeviceName with(DeviceName name, Matcher part) {
    if (part.group("job") != null) {
      return new DeviceName(text(part, "job"), name.replica(), name.task(), name.type(), name.id());
    }
    if (part.group("replica") != null) {
      return new DeviceName(
          name.job(), number(part, "replica"), name.task(), name.type(), name.id());
    }
    if (part.group("task") != null) {
      return new DeviceName(
          name.job(), name.replica(), number(part, "task"), name.type(), name.id());
    }
    @Nullable String old = text(part, "old");
    @Nullable String type = old == null ? text(part, "type") : old.toUpperCase(Locale.ROOT);
    @Nullable Integer id = number(part, old == null ? "id" : "oldId");
    return new DeviceName(name.job(), name.replica(), name.task(), type, id);
  }

  private static @Nullable String text(Matcher part, String group) {
    @Nullable String text = part.group(group);
    return text == null || text.equals("*") ? null : text;
  }

  private static @Nullable Integer number(Matcher part, String group) {
    @Nullable String text = text(part, group);
    return text == null ? null : Integer.valueOf(text);
  }
}
