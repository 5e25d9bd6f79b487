package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmReport;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Type;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads rows of a batch as the detector takes them. */
record RowReader(AlarmOptions options) {
  private static final long MICROS_PER_MILLI = 1_000;

  /** Of a key that is too long; what follows tells it from others that begin so. */
  private static final int KEPT_OF_KEY = 200;

  /** What stands between the values of a key of several columns. */
  private static final String BETWEEN = " / ";

  /**
   * A row; empty if it says nothing: what an update replaces is said by what replaces it.
   *
   * @param nowMillis the time of a row that has none
   */
  Optional<Detector.Row> row(Batch batch, int row, long nowMillis) {
    ChangeKind change = batch.change(row);
    if (change == ChangeKind.UPDATE_BEFORE) {
      return Optional.empty();
    }
    return Optional.of(
        new Detector.Row(
            key(batch, row),
            time(batch, row, nowMillis),
            (Boolean) value(batch, options.condition(), row),
            number(batch, row),
            value(batch, options.message(), row) instanceof String text ? text : "",
            change == ChangeKind.DELETE));
  }

  private String key(Batch batch, int row) {
    List<String> values =
        options.keys().stream()
            .map(column -> text(options.schema().type(column), batch.column(column).value(row)))
            .toList();
    String key = String.join(BETWEEN, values);
    boolean ambiguous = values.size() > 1 && values.stream().anyMatch(RowReader::looksJoined);
    return ambiguous || key.length() > AlarmReport.MAX_KEY ? named(key, values) : key;
  }

  private static boolean looksJoined(String value) {
    return value.contains(" /") || value.contains("/ ");
  }

  /** A key that is too long, or could be two, must neither end the job nor be taken for another. */
  private static String named(String key, List<String> values) {
    String whole =
        values.stream().map(value -> value.length() + ":" + value).collect(Collectors.joining());
    int end = Math.min(key.length(), KEPT_OF_KEY);
    end -= Character.isHighSurrogate(key.charAt(end - 1)) ? 1 : 0;
    return key.substring(0, end)
        + "…"
        + UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Type type, @Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME -> LocalTime.ofNanoOfDay((Integer) value * 1_000_000L).toString();
      case TIMESTAMP, TIMESTAMP_LTZ ->
          Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS).toString();
      default -> value.toString();
    };
  }

  private long time(Batch batch, int row, long nowMillis) {
    return value(batch, options.time(), row) instanceof Long micros
        ? Math.floorDiv(micros, MICROS_PER_MILLI)
        : nowMillis;
  }

  private @Nullable Double number(Batch batch, int row) {
    return value(batch, options.value(), row) instanceof Number number
        ? Double.valueOf(number.doubleValue())
        : null;
  }

  private static @Nullable Object value(Batch batch, int column, int row) {
    return column < 0 ? null : batch.column(column).value(row);
  }
}
