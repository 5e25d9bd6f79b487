package io.sedge.connector.alarm.internal;

import io.sedge.alarm.AlarmPriority;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a table of alarms says. Columns are by position.
 *
 * @param keys whose values name an alarm
 * @param condition the BOOLEAN column that says whether it is to be raised; -1 for none
 * @param value the numeric column that limits are for, and that is shown; -1 for none
 * @param message the STRING column that is shown; -1 for none
 * @param time when the row was; -1 for when it comes
 * @param high raised above it
 * @param low raised below it
 * @param deadband how far a value must be back within its limit
 * @param onDelay how long the condition must hold
 * @param offDelay how long it must be gone
 * @param clearAfter how long after its last row an alarm is gone; empty for never
 */
public record AlarmOptions(
    String table,
    Schema schema,
    AlarmPriority priority,
    List<Integer> keys,
    int condition,
    int value,
    int message,
    int time,
    OptionalDouble high,
    OptionalDouble low,
    double deadband,
    Duration onDelay,
    Duration offDelay,
    Optional<Duration> clearAfter,
    NoticeOptions notices) {
  private static final String PRIORITY = "priority";
  private static final String CONDITION = "condition-column";
  private static final String VALUE = "value-column";
  private static final String MESSAGE = "message-column";
  private static final String TIME = "time-column";
  private static final String HIGH = "high-limit";
  private static final String LOW = "low-limit";
  private static final String DEADBAND = "deadband";
  private static final String ON_DELAY = "on-delay";
  private static final String OFF_DELAY = "off-delay";
  private static final String CLEAR_AFTER = "clear-after";

  /** Delays of alarms are seconds and minutes; a longer one is a window of the query. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(1);

  /** All options of the connector. */
  public static final List<Option> ALL = all();

  private static List<Option> all() {
    List<Option> options = new ArrayList<>();
    options.add(
        Option.choice(
            PRIORITY,
            "medium",
            List.of("low", "medium", "high", "critical"),
            "How soon somebody has to act."));
    options.add(
        Option.optional(
            CONDITION,
            Option.Kind.STRING,
            "The BOOLEAN column that says whether the alarm is to be raised."));
    options.add(
        Option.optional(
            VALUE,
            Option.Kind.STRING,
            "The numeric column that is shown, and that limits are for."));
    options.add(
        Option.optional(MESSAGE, Option.Kind.STRING, "The STRING column that is shown to people."));
    options.add(
        Option.optional(
            TIME,
            Option.Kind.STRING,
            "The TIMESTAMP or TIMESTAMP_LTZ column that says when; without it, when the row"
                + " comes."));
    options.add(
        Option.optional(HIGH, Option.Kind.DECIMAL, "Raised while the value is above this."));
    options.add(Option.optional(LOW, Option.Kind.DECIMAL, "Raised while the value is below this."));
    options.add(
        Option.withDefault(
            DEADBAND,
            Option.Kind.DECIMAL,
            "0",
            "How far within its limit a value must be for the alarm to clear."));
    options.add(
        Option.withDefault(
            ON_DELAY,
            Option.Kind.DURATION,
            "0 s",
            "For how long the condition must hold before the alarm is raised."));
    options.add(
        Option.withDefault(
            OFF_DELAY,
            Option.Kind.DURATION,
            "0 s",
            "For how long it must be gone before the alarm clears."));
    options.add(
        Option.optional(
            CLEAR_AFTER,
            Option.Kind.DURATION,
            "Without condition and limits: how long after its last row an alarm clears."));
    options.addAll(NoticeOptions.ALL);
    return List.copyOf(options);
  }

  /**
   * Reads them.
   *
   * @throws ConnectorException of kind USER if something is wrong with them
   */
  public static AlarmOptions read(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, ALL);
    if (table.primaryKey().isEmpty()) {
      throw new ConnectorException(
          Kind.USER,
          "table %s: connector 'alarm' has one alarm for each key: write PRIMARY KEY (%s) NOT ENFORCED"
              .formatted(table.name(), aKey(table.schema())));
    }
    Columns columns = new Columns(options, table.schema());
    AlarmOptions read =
        new AlarmOptions(
            table.name(),
            table.schema(),
            AlarmPriority.valueOf(options.choice(PRIORITY).toUpperCase(Locale.ROOT)),
            table.primaryKey(),
            columns.find(CONDITION, "BOOLEAN", type -> type.equals(Type.BOOLEAN)),
            columns.find(VALUE, "numeric", type -> type.kind().isNumeric()),
            columns.find(MESSAGE, "STRING", AlarmOptions::isText),
            columns.find(TIME, "TIMESTAMP or TIMESTAMP_LTZ", type -> type.kind().isTimestamp()),
            decimal(options, HIGH),
            decimal(options, LOW),
            options.decimal(DEADBAND).doubleValue(),
            delay(options, ON_DELAY),
            delay(options, OFF_DELAY),
            options.has(CLEAR_AFTER) ? Optional.of(delay(options, CLEAR_AFTER)) : Optional.empty(),
            NoticeOptions.read(table.name(), options, context));
    read.check(options);
    return read;
  }

  /** A column that would do as a key, for the message. */
  private static String aKey(Schema schema) {
    return schema.fields().stream()
        .filter(field -> isText(field.type()))
        .map(Schema.Field::name)
        .findFirst()
        .orElse("…");
  }

  private static boolean isText(Type type) {
    return switch (type.kind()) {
      case CHAR, VARCHAR -> true;
      default -> false;
    };
  }

  private static OptionalDouble decimal(Options options, String key) {
    return options.has(key)
        ? OptionalDouble.of(options.decimal(key).doubleValue())
        : OptionalDouble.empty();
  }

  private static Duration delay(Options options, String key) {
    Duration delay = options.duration(key);
    if (delay.compareTo(LONGEST_DELAY) > 0) {
      throw options.wrong(key, "is longer than a day");
    }
    return delay;
  }

  /** Whether it has limits. */
  boolean hasLimits() {
    return high.isPresent() || low.isPresent();
  }

  private void check(Options options) {
    if (hasLimits() && value < 0) {
      throw options.wrong(
          high.isPresent() ? HIGH : LOW,
          "needs the column that it is for: write '%s' = '…'".formatted(VALUE));
    }
    if (hasLimits() && condition >= 0) {
      throw options.wrong(
          CONDITION, "and limits are two ways to say when to raise: leave one of them out");
    }
    if (options.has(DEADBAND) && (!hasLimits() || deadband < 0)) {
      throw options.wrong(
          DEADBAND,
          hasLimits()
              ? "is below 0"
              : "is the deadband of a limit: write '%s' or '%s' too".formatted(HIGH, LOW));
    }
    if (high.isPresent()
        && low.isPresent()
        && low.getAsDouble() + deadband > high.getAsDouble() - deadband) {
      throw options.wrong(
          HIGH,
          "leaves no room for normal values above '%s' = '%s' with this deadband"
              .formatted(LOW, options.string(LOW)));
    }
    if (clearAfter.isPresent() && (hasLimits() || condition >= 0)) {
      throw options.wrong(
          CLEAR_AFTER,
          "is for rows that only raise; here '%s' says when it clears: write '%s'"
              .formatted(condition >= 0 ? CONDITION : VALUE, OFF_DELAY));
    }
    if (clearAfter.filter(Duration::isZero).isPresent()) {
      throw options.wrong(CLEAR_AFTER, "clears at once; write how long, such as 1 min");
    }
  }

  /** Finds the columns that options name. */
  private record Columns(Options options, Schema schema) {
    int find(String key, String kind, Predicate<Type> fits) {
      Optional<String> name = options.find(key);
      if (name.isEmpty()) {
        return -1;
      }
      int index = schema.indexOf(name.get());
      if (index < 0 || !fits.test(schema.type(index).withNullable(true))) {
        String known =
            schema.fields().stream()
                .filter(field -> fits.test(field.type().withNullable(true)))
                .map(field -> "'" + field.name() + "'")
                .collect(Collectors.joining(", "));
        throw options.wrong(
            key,
            "is no %s column of the table, which has %s"
                .formatted(kind, known.isEmpty() ? "none" : known));
      }
      return index;
    }
  }
}
