package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The functions that read the clock, once for all rows of a batch. */
public final class ClockFunctions {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  /** What to make of the time, in milliseconds since 1970-01-01T00:00:00Z. */
  @FunctionalInterface
  private interface Reading {
    Object of(long epochMillis);
  }

  /** A function of the clock alone. */
  private record Clocked(InstantSource clock, Type type, Reading reading)
      implements ScalarFunction {
    @Override
    public Column apply(List<Column> arguments, int rows) {
      return Constants.of(reading.of(clock.millis()), type, rows);
    }

    @Override
    public boolean isDeterministic() {
      return false;
    }
  }

  private ClockFunctions() {}

  public static void register(FunctionTable table, ZoneId zone, InstantSource clock) {
    Reading instant = millis -> millis * MICROS_PER_MILLI;
    for (String name : List.of("NOW", "CURRENT_TIMESTAMP", "CURRENT_ROW_TIMESTAMP", "PROCTIME")) {
      add(table, name, clock, instant);
    }
    add(table, "LOCALTIMESTAMP", clock, millis -> local(millis, zone) * MICROS_PER_MILLI);
    Reading timeOfDay =
        millis ->
            (int) Math.floorMod(local(millis, zone), ChronoUnit.DAYS.getDuration().toMillis());
    add(table, "LOCALTIME", clock, timeOfDay);
    add(table, "CURRENT_TIME", clock, timeOfDay);
    add(
        table,
        "CURRENT_DATE",
        clock,
        millis ->
            (int) Math.floorDiv(local(millis, zone), ChronoUnit.DAYS.getDuration().toMillis()));
    table.add(
        "UNIX_TIMESTAMP",
        0,
        (arguments, result) -> new Clocked(clock, result, millis -> millis / MILLIS_PER_SECOND));
  }

  private static void add(FunctionTable table, String name, InstantSource clock, Reading reading) {
    table.add(name, 0, 1, (arguments, result) -> new Clocked(clock, result, reading));
  }

  private static long local(long millis, ZoneId zone) {
    return millis
        + zone.getRules().getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds()
            * MILLIS_PER_SECOND;
  }
}
