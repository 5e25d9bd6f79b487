package io.sedge.engine.expression;

import io.sedge.engine.expression.internal.ArithmeticFunctions;
import io.sedge.engine.expression.internal.ArrayFunctions;
import io.sedge.engine.expression.internal.CastFunctions;
import io.sedge.engine.expression.internal.ClockFunctions;
import io.sedge.engine.expression.internal.ComparisonFunctions;
import io.sedge.engine.expression.internal.FunctionTable;
import io.sedge.engine.expression.internal.HashFunctions;
import io.sedge.engine.expression.internal.JsonFunctions;
import io.sedge.engine.expression.internal.LogicalFunctions;
import io.sedge.engine.expression.internal.MathFunctions;
import io.sedge.engine.expression.internal.RandomFunctions;
import io.sedge.engine.expression.internal.RegexFunctions;
import io.sedge.engine.expression.internal.StringFunctions;
import io.sedge.engine.expression.internal.TimeArithmetic;
import io.sedge.engine.expression.internal.TimeFieldFunctions;
import io.sedge.engine.expression.internal.TimeFormatFunctions;
import io.sedge.engine.expression.internal.UrlFunctions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The scalar functions and operators that every job has, with the meaning that Flink 2.3 gives
 * them.
 */
public final class BuiltinFunctions {
  /** What the evaluator itself takes care of, because it evaluates its arguments only at need. */
  private static final List<String> LAZY = List.of("CASE", "COALESCE", "IF", "IFNULL", "NULLIF");

  private BuiltinFunctions() {}

  /**
   * The functions.
   *
   * @param sessionZone in which TIMESTAMP_LTZ values are shown and read
   * @param clock what CURRENT_TIMESTAMP and its like read, once per batch
   */
  public static FunctionRegistry registry(ZoneId sessionZone, InstantSource clock) {
    return registry(sessionZone, clock, new SecureRandom());
  }

  /**
   * The functions, with a source for RAND, RAND_INTEGER and UUID.
   *
   * @param random used by the thread that evaluates
   */
  public static FunctionRegistry registry(
      ZoneId sessionZone, InstantSource clock, RandomGenerator random) {
    return table(sessionZone, clock, random);
  }

  /** The names of all functions and operators, in alphabetical order. */
  public static List<String> names() {
    FunctionTable table = table(ZoneOffset.UTC, InstantSource.system(), new SecureRandom());
    return java.util.stream.Stream.concat(table.names().stream(), LAZY.stream()).sorted().toList();
  }

  private static FunctionTable table(
      ZoneId sessionZone, InstantSource clock, RandomGenerator random) {
    FunctionTable table = new FunctionTable();
    ArithmeticFunctions.register(table);
    ComparisonFunctions.register(table);
    LogicalFunctions.register(table);
    CastFunctions.register(table, sessionZone);
    ClockFunctions.register(table, sessionZone, clock);
    MathFunctions.register(table);
    StringFunctions.register(table);
    RegexFunctions.register(table);
    HashFunctions.register(table);
    UrlFunctions.register(table);
    TimeFieldFunctions.register(table, sessionZone);
    TimeArithmetic.register(table);
    TimeFormatFunctions.register(table, sessionZone);
    ArrayFunctions.register(table);
    JsonFunctions.register(table);
    RandomFunctions.register(table, random);
    return table;
  }
}
