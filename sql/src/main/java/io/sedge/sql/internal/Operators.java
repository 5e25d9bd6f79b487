package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/**
 * The functions and operators that a script may call, with Flink's rules for their types: Calcite's
 * own where Flink takes those, and a table of the others. A job adds its user's own functions.
 */
final class Operators implements SqlOperatorTable {
  static final SqlFunction CAST = new Cast();
  static final SqlFunction TRY_CAST = new TryCast();

  private final Map<String, List<SqlOperator>> byName = new TreeMap<>();

  Operators() {
    Stream.of(
            CalciteOperators.ALL,
            NumberFunctions.all(),
            TextFunctions.all(),
            TimeFunctions.all(),
            ArrayFunctions.all(),
            ConditionalFunctions.all(),
            AggregateFunctions.all(),
            DetectorFunction.all(),
            WindowFunctions.ALL)
        .flatMap(List::stream)
        .forEach(this::add);
  }

  /** Adds a function, such as one of the user's; it hides a built-in one of its name. */
  void define(SqlOperator operator) {
    byName.remove(key(operator.getName()));
    add(operator);
  }

  /** The names of what is called like a function, for suggestions and documentation. */
  List<String> functionNames() {
    return byName.entrySet().stream()
        .filter(
            entry ->
                entry.getValue().stream()
                    .anyMatch(operator -> Character.isLetter(operator.getName().charAt(0))))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * How many arguments a function takes, in words: {@code 1}, {@code 1 or 2}, {@code 2 or more}.
   */
  String argumentCounts(String name) {
    List<SqlOperandCountRange> ranges =
        byName.getOrDefault(key(name), List.of()).stream()
            .map(SqlOperator::getOperandCountRange)
            .toList();
    boolean unbounded = ranges.stream().anyMatch(range -> range.getMax() < 0);
    int least = ranges.stream().mapToInt(SqlOperandCountRange::getMin).min().orElse(0);
    if (unbounded) {
      return "%d or more".formatted(least);
    }
    return IntStream.rangeClosed(
            0, ranges.stream().mapToInt(SqlOperandCountRange::getMax).max().orElse(0))
        .filter(count -> ranges.stream().anyMatch(range -> range.isValidCount(count)))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" or "));
  }

  private void add(SqlOperator operator) {
    byName.computeIfAbsent(key(operator.getName()), name -> new ArrayList<>()).add(operator);
  }

  private static String key(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    if (!name.isSimple()) {
      return;
    }
    for (SqlOperator operator : byName.getOrDefault(key(name.getSimple()), List.of())) {
      if (normalized(operator.getSyntax()) == normalized(syntax)) {
        found.add(operator);
      }
    }
  }

  /** All forms of call are one syntax: with *, without parentheses, with ORDER BY. */
  private static SqlSyntax normalized(SqlSyntax syntax) {
    return switch (syntax) {
      case FUNCTION_STAR, FUNCTION_ID, ORDERED_FUNCTION -> SqlSyntax.FUNCTION;
      default -> syntax.family;
    };
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return byName.values().stream().flatMap(List::stream).toList();
  }
}
