package io.sedge.connector;

import io.sedge.engine.type.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a source table says about keeping its readings on the device that reads them ({@code 'keep'
 * = '7 d'}).
 *
 * @param age for how long a reading is kept at least, if {@code bytes} allow it
 * @param bytes what the history of one task's shard of the table may take on the disk
 * @param timeColumn the TIMESTAMP or TIMESTAMP_LTZ column that the history is ordered by, by
 *     position in what the connector gives; -1 for the time at which readings came
 * @param whenFull what happens while there is no room for more
 * @param sync after how long at most what was kept is on the disk, not only with the operating
 *     system; zero: before its commit is
 * @param reserveBytes what must stay free of the disk
 */
public record Keep(
    Duration age, long bytes, int timeColumn, WhenFull whenFull, Duration sync, long reserveBytes) {
  public static final String AGE = "keep";
  static final String BYTES = "keep.bytes";
  static final String TIME = "keep.time";
  static final String WHEN_FULL = "keep.when-full";
  static final String SYNC = "keep.sync";
  static final String RESERVE = "keep.reserve";

  /** A history of fewer bytes would be nothing but its own bookkeeping. */
  private static final long LEAST_BYTES = 1 << 20;

  /** The options that say it; any source table takes them. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              AGE,
              Option.Kind.DURATION,
              "For how long readings are kept on the device that reads them."),
          Option.withDefault(
              BYTES, Option.Kind.BYTES, "1 gb", "What the readings kept may take on the disk."),
          Option.optional(
              TIME,
              Option.Kind.STRING,
              "The column that they are ordered by: that of WATERMARK FOR unless given, else when"
                  + " they came."),
          Option.choice(
              WHEN_FULL,
              "skip",
              List.of("skip", "fail"),
              "What happens while the disk is full: readings are not kept, or the job fails."),
          Option.durationWithDefault(
              SYNC,
              Duration.ofSeconds(1),
              "After how long what is kept is safe from a loss of power; 0 s: before it is"
                  + " committed."),
          Option.withDefault(
              RESERVE, Option.Kind.BYTES, "128 mb", "What must stay free of the disk."));

  /** What happens while there is no room. */
  public enum WhenFull {
    /** The job goes on, and what is read meanwhile is not kept, counted and said. */
    SKIP,
    /** The job fails. */
    FAIL
  }

  /**
   * What a table says.
   *
   * @param given what stands in its WITH (…)
   * @param schema the columns that its connector gives
   * @param eventTime the one of them that WATERMARK FOR names, or -1
   * @throws ConnectorException of kind USER if that cannot be
   */
  public static Keep of(String table, Map<String, String> given, Schema schema, int eventTime) {
    Options options = Options.of(table, OPTIONS, given);
    if (!options.has(AGE)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: what is kept needs '%s' = '7 d' or another duration".formatted(table, AGE));
    }
    Duration age = options.duration(AGE);
    if (age.isZero()) {
      throw options.wrong(AGE, "keeps nothing; write how long, such as 7 d, or leave it out");
    }
    if (options.bytes(BYTES) < LEAST_BYTES) {
      throw options.wrong(BYTES, "is less than 1 mb");
    }
    if (schema.size() == 0) {
      throw options.wrong(AGE, "has nothing to keep: the connector gives no column of the table");
    }
    return new Keep(
        age,
        options.bytes(BYTES),
        options.find(TIME).map(column -> time(options, schema, column)).orElse(eventTime),
        WhenFull.valueOf(options.choice(WHEN_FULL).toUpperCase(java.util.Locale.ROOT)),
        options.duration(SYNC),
        options.bytes(RESERVE));
  }

  private static int time(Options options, Schema schema, String column) {
    int index = schema.indexOf(column);
    if (index < 0 || !schema.type(index).kind().isTimestamp()) {
      List<String> times =
          schema.fields().stream()
              .filter(field -> field.type().kind().isTimestamp())
              .map(Schema.Field::name)
              .toList();
      String known =
          times.isEmpty()
              ? "which has none: leave the option out to order by when readings came"
              : times.stream().collect(Collectors.joining("`, `", "which has `", "`"));
      throw options.wrong(
          TIME, "is no TIMESTAMP or TIMESTAMP_LTZ column of the connector, " + known);
    }
    return index;
  }
}
