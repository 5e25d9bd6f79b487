package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --label} of {@code sedge device start} and {@code sedge device join}. */
final class DeviceLabelOption {
  private static final String OFF = "off";

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      order = 3,
      description = {
        "What jobs may demand of a device: zone=north; may be repeated.",
        "Kept until a start names others; off: none, as at first."
      })
  private @Nullable List<String> given;

  /**
   * The device's labels.
   *
   * @param kept those that it had last
   */
  Map<String, String> labels(Map<String, String> kept) throws SiteException {
    if (given == null) {
      return kept;
    }
    if (given.equals(List.of(OFF))) {
      return Map.of();
    }
    Map<String, String> labels = new LinkedHashMap<>();
    for (String label : given) {
      int equals = label.indexOf('=');
      if (equals < 1) {
        throw new SiteException(
            FailureCode.USAGE,
            "--label=%s: write KEY=VALUE, for example zone=north; --label=off, alone, for no label"
                .formatted(label));
      }
      labels.put(label.substring(0, equals), label.substring(equals + 1));
    }
    return labels;
  }
}
