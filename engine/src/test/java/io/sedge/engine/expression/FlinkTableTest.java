package io.sedge.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Functions against what Flink 2.3.0 gave for the same calls, in the tables {@code flink-*.tsv}:
 * the function, the result's type, the result, then the arguments as {@code TYPE:value}. A result
 * of {@code !} means that Flink failed; {@code \N} is NULL; an argument after {@code =} is a
 * constant only. Every call is made with columns, with constants where it can be, with other rows
 * that are null, and with some columns and some constants.
 */
class FlinkTableTest {
  private static final List<String> TABLES =
      List.of("flink-basics.tsv", "flink-strings.tsv", "flink-times.tsv", "flink-json-arrays.tsv");
  private static final FunctionRegistry REGISTRY =
      BuiltinFunctions.registry(
          ZoneId.of("Europe/Berlin"), InstantSource.fixed(Instant.parse("2024-05-06T07:08:09Z")));
  private static final String NULL = "\\N";
  private static final String FAILS = "!";
  private static final Pattern ARGUMENTS = Pattern.compile("(\\w+)(?:\\((\\d+)(?:, ?(\\d+))?\\))?");

  private record Argument(Type type, Object value, boolean constant) {}

  @TestFactory
  Stream<DynamicTest> flinkGivesTheSame() {
    Map<String, List<String>> byFunction =
        TABLES.stream()
            .flatMap(table -> lines(table).stream())
            .collect(Collectors.groupingBy(line -> line.substring(0, line.indexOf('\t'))));
    return byFunction.entrySet().stream()
        .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> check(entry.getValue())));
  }

  /** A table that is lost or cut must not pass for one that holds. */
  @Test
  void theTablesHaveHundredsOfRows() {
    assertThat(TABLES.stream().mapToInt(table -> lines(table).size()).sum()).isGreaterThan(1_900);
  }

  private static List<String> lines(String table) {
    try (InputStream in = FlinkTableTest.class.getResourceAsStream(table)) {
      return new String(Objects.requireNonNull(in, table).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private static void check(List<String> rows) {
    assertThat(rows.stream().flatMap(line -> differences(line).stream()).distinct()).isEmpty();
  }

  private static List<String> differences(String line) {
    String[] parts = line.split("\t", -1);
    Type result = type(parts[1]);
    List<Argument> arguments = Arrays.stream(parts).skip(3).map(FlinkTableTest::argument).toList();
    Object expected = parts[2].equals(FAILS) ? FAILS : value(parts[2], result);
    List<String> differences = new ArrayList<>();
    for (int constants = 0; constants < 1 << arguments.size(); constants++) {
      for (Object actual : evaluate(parts[0], result, arguments, constants)) {
        if (!Objects.equals(expected, actual)) {
          differences.add("%s: got %s".formatted(line.replace('\t', ' '), actual));
        }
      }
    }
    return differences;
  }

  /** The results of the first and the third row, which are the same call. */
  private static List<Object> evaluate(
      String function, Type result, List<Argument> arguments, int constants) {
    try {
      Column column = evaluator(function, result, arguments, constants).evaluate(batch(arguments));
      return Arrays.asList(column.value(0), column.value(2));
    } catch (EvaluationException failure) {
      return List.of(FAILS);
    } catch (RuntimeException bug) {
      return List.of(bug);
    }
  }

  private static Evaluator evaluator(
      String function, Type result, List<Argument> arguments, int constants) {
    List<Expression> expressions = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      Argument argument = arguments.get(i);
      boolean constant = argument.constant || (constants >> i & 1) == 1;
      expressions.add(
          constant
              ? new Expression.Literal(argument.value, argument.type)
              : new Expression.Input(i, argument.type));
    }
    return Evaluator.compile(new Expression.Call(function, expressions, result), REGISTRY);
  }

  /** The row, then one of nulls, then the row again. */
  private static Batch batch(List<Argument> arguments) {
    List<Column> columns = new ArrayList<>();
    for (Argument argument : arguments) {
      ColumnBuilder builder = ColumnBuilder.of(argument.type);
      builder.add(argument.value);
      builder.addNull();
      builder.add(argument.value);
      columns.add(builder.build());
    }
    return new Batch(3, columns);
  }

  private static Argument argument(String text) {
    boolean constant = text.startsWith("=");
    int colon = text.indexOf(':');
    Type type = type(text.substring(constant ? 1 : 0, colon));
    return new Argument(type, value(text.substring(colon + 1), type), constant);
  }

  private static Type type(String text) {
    if (text.startsWith("ARRAY<")) {
      return Type.array(type(text.substring(6, text.length() - 1)));
    }
    Matcher matcher = ARGUMENTS.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    int first = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
    int second = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
    return switch (matcher.group(1)) {
      case "BOOLEAN" -> Type.BOOLEAN;
      case "TINYINT" -> Type.TINYINT;
      case "SMALLINT" -> Type.SMALLINT;
      case "INT" -> Type.INT;
      case "BIGINT" -> Type.BIGINT;
      case "FLOAT" -> Type.FLOAT;
      case "DOUBLE" -> Type.DOUBLE;
      case "STRING" -> Type.STRING;
      case "DATE" -> Type.DATE;
      case "TIME" -> new Type(Kind.TIME, first, 0, true, List.of(), List.of());
      case "DECIMAL" -> Type.decimal(first, second);
      case "CHAR" -> Type.character(first);
      case "VARCHAR" -> Type.varchar(first);
      case "TIMESTAMP" -> Type.timestamp(first);
      case "TIMESTAMP_LTZ" -> Type.timestampLtz(first);
      case "INTERVAL_DAY_TIME" -> Type.intervalDayTime();
      case "INTERVAL_YEAR_MONTH" -> Type.intervalYearMonth();
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static Object value(String text, Type type) {
    if (text.equals(NULL)) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.parseBoolean(text);
      case TINYINT, SMALLINT, INT, INTERVAL_YEAR_MONTH -> Integer.parseInt(text);
      case BIGINT, INTERVAL_DAY_TIME -> Long.parseLong(text);
      case FLOAT -> Float.parseFloat(text);
      case DOUBLE -> Double.parseDouble(text);
      case DECIMAL -> new BigDecimal(text).setScale(type.scale());
      case CHAR ->
          text.translateEscapes() + " ".repeat(Math.max(0, type.precision() - text.length()));
      case VARCHAR -> text.translateEscapes();
      case DATE -> (int) LocalDate.parse(text).toEpochDay();
      case TIME -> (int) (LocalTime.parse(text).toNanoOfDay() / 1_000_000);
      case TIMESTAMP ->
          ChronoUnit.MICROS.between(
              LocalDateTime.of(1970, 1, 1, 0, 0), LocalDateTime.parse(text.replace(' ', 'T')));
      case TIMESTAMP_LTZ -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(text));
      case ARRAY -> array(text, type);
      case ROW, NULL -> throw new IllegalArgumentException(type + " " + text);
    };
  }

  private static List<Object> array(String text, Type type) {
    String inner = text.substring(1, text.length() - 1);
    List<Object> list = new ArrayList<>();
    if (!inner.isEmpty()) {
      for (String element : inner.split(", ", -1)) {
        list.add(value(element, type.children().getFirst()));
      }
    }
    return list;
  }
}
