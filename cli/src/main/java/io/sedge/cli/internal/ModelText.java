package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.task.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Models that the site trains, as lines of text. */
final class ModelText {
  private ModelText() {}

  /** All of them, a line each. */
  static List<String> list(List<ModelStatus> models) {
    TextTable table =
        new TextTable(
            "MODEL", "JOB", "ALGORITHM", ">LIVE", ">SHADOW", ">LATEST", "TRAINED", "EVERY");
    for (ModelStatus model : models) {
      ModelVersionStatus latest = model.versions().isEmpty() ? null : model.versions().getLast();
      table.add(
          model.name(),
          model.job(),
          model.algorithm().isEmpty() ? "-" : model.algorithm(),
          number(model.live()),
          number(model.shadow()),
          latest == null ? "-" : Long.toString(latest.number()),
          latest == null ? "-" : time(latest.atMillis()),
          model.everyMillis() == 0
              ? "-"
              : Quantities.duration(Duration.ofMillis(model.everyMillis())));
    }
    return table.lines();
  }

  private static String number(Optional<ModelVersionStatus> version) {
    return version.map(known -> Long.toString(known.number())).orElse("-");
  }

  /** The versions of one, a line each. */
  static List<String> versions(ModelStatus model) {
    TextTable table =
        new TextTable(">VERSION", "STAGE", "TRAINED", ">ROWS", ">DEVICES", "HELD OUT");
    for (ModelVersionStatus version : model.versions()) {
      table.add(
          Long.toString(version.number()),
          stage(version),
          time(version.atMillis()),
          "%,d".formatted(sum(version.rows())),
          Integer.toString(version.rows().size()),
          metrics(version));
    }
    return table.lines();
  }

  /** How far what is scored is from what the live version was trained from; nothing if unknown. */
  static List<String> drifts(ModelStatus model, List<ModelDrift> drifts) {
    if (drifts.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable("FEATURE", ">DRIFT", ">BY CHANCE", ">ROWS", ">LEFT OUT", ">VERSION", "UNTIL");
    for (ModelDrift drift : drifts) {
      table.add(
          drift.feature(),
          index(drift.psi()),
          index(drift.byChance()),
          "%,d".formatted(drift.rows()),
          "%,d".formatted(drift.leftOut()),
          model.versions().stream()
              .filter(version -> drift.isOf(version.sha256()))
              .map(version -> Long.toString(version.number()))
              .findFirst()
              .orElse("-"),
          time(drift.untilMillis()));
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table.lines());
    return lines;
  }

  private static String index(@Nullable Double index) {
    return index == null ? "-" : String.format(Locale.ROOT, "%.3f", index);
  }

  /** A version that was rolled back may have been made live, or the shadow, again by people. */
  private static String stage(ModelVersionStatus version) {
    String before = version.rolledBack() ? ", was rolled back" : "";
    if (version.live()) {
      return "live" + before;
    }
    if (version.shadow()) {
      return "shadow" + before;
    }
    if (version.rolledBack()) {
      return "rolled back";
    }
    return version.wasLive() > 0 ? "was live" : "candidate";
  }

  private static long sum(Map<String, Long> values) {
    return values.values().stream().mapToLong(Long::longValue).sum();
  }

  private static String metrics(ModelVersionStatus version) {
    return version.metrics().isEmpty()
        ? "-"
        : version.metrics().entrySet().stream()
            .map(metric -> metric.getKey() + " " + number(metric.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.5g", value);
  }

  /** All that is known of a version. */
  static List<String> version(ModelStatus model, ModelVersionStatus version) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "model %s of job %s, version %d: %s, %s"
            .formatted(
                model.name(), model.job(), version.number(), version.algorithm(), stage(version)));
    lines.add("trained     " + time(version.atMillis()));
    if (version.firstMillis() <= version.lastMillis()) {
      lines.add(
          "rows from   %s to %s"
              .formatted(time(version.firstMillis()), time(version.lastMillis())));
    }
    lines.add("held out    " + metrics(version));
    lines.add(
        "file        %,d bytes of ONNX, SHA-256 %s".formatted(version.bytes(), version.sha256()));
    lines.add("left out    %,d rows with NULL, NaN or garbage".formatted(version.leftOut()));
    lines.add("");
    TextTable devices = new TextTable("DEVICE", ">ROWS THAT STAYED THERE", ">BYTES THAT LEFT IT");
    version
        .rows()
        .forEach(
            (device, rows) ->
                devices.add(
                    device,
                    "%,d".formatted(rows),
                    "%,d".formatted(version.sentBytes().getOrDefault(device, 0L))));
    lines.addAll(devices.lines());
    lines.add("");
    version
        .parameters()
        .forEach((name, value) -> lines.add("%-24s %s".formatted(name, number(value))));
    if (!version.notes().isEmpty()) {
      lines.add("");
      version.notes().lines().map(Printable::text).forEach(lines::add);
    }
    return lines;
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
