package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlSingleOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/**
 * The functions and operators that a script may call, with Flink's rules for their types: Calcite's
 * own where Flink takes those, and a table of the others. A job adds its user's own functions.
 */
final class Operators implements SqlOperatorTable {
  /** The type of NOW() and CURRENT_TIMESTAMP. */
  private static final SqlReturnTypeInference INSTANT =
      FunctionTypes.timestamp(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3);

  static final SqlFunction CAST = new Cast();
  static final SqlFunction TRY_CAST = new TryCast();
  static final SqlFunction PROCTIME = function("PROCTIME", INSTANT, OperandTypes.NILADIC, false);

  private static final List<SqlOperator> STANDARD =
      List.of(
          // Signs and predicates
          SqlStdOperatorTable.AND,
          SqlStdOperatorTable.OR,
          SqlStdOperatorTable.NOT,
          SqlStdOperatorTable.AS,
          SqlStdOperatorTable.CONCAT,
          SqlStdOperatorTable.DIVIDE,
          SqlStdOperatorTable.DOT,
          SqlStdOperatorTable.EQUALS,
          SqlStdOperatorTable.NOT_EQUALS,
          SqlStdOperatorTable.LESS_THAN,
          SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
          SqlStdOperatorTable.GREATER_THAN,
          SqlStdOperatorTable.GREATER_THAN_OR_EQUAL,
          SqlStdOperatorTable.IS_DISTINCT_FROM,
          SqlStdOperatorTable.IS_NOT_DISTINCT_FROM,
          SqlStdOperatorTable.MINUS,
          SqlStdOperatorTable.MINUS_DATE,
          SqlStdOperatorTable.MULTIPLY,
          SqlStdOperatorTable.PLUS,
          SqlStdOperatorTable.DATETIME_PLUS,
          SqlStdOperatorTable.PERCENT_REMAINDER,
          SqlStdOperatorTable.UNARY_MINUS,
          SqlStdOperatorTable.UNARY_PLUS,
          SqlStdOperatorTable.IS_NULL,
          SqlStdOperatorTable.IS_NOT_NULL,
          SqlStdOperatorTable.IS_TRUE,
          SqlStdOperatorTable.IS_NOT_TRUE,
          SqlStdOperatorTable.IS_FALSE,
          SqlStdOperatorTable.IS_NOT_FALSE,
          SqlStdOperatorTable.IS_UNKNOWN,
          SqlStdOperatorTable.IS_NOT_UNKNOWN,
          SqlStdOperatorTable.BETWEEN,
          SqlStdOperatorTable.NOT_BETWEEN,
          SqlStdOperatorTable.SYMMETRIC_BETWEEN,
          SqlStdOperatorTable.SYMMETRIC_NOT_BETWEEN,
          SqlStdOperatorTable.IN,
          SqlStdOperatorTable.NOT_IN,
          SqlStdOperatorTable.LIKE,
          SqlStdOperatorTable.NOT_LIKE,
          SqlStdOperatorTable.SIMILAR_TO,
          SqlStdOperatorTable.NOT_SIMILAR_TO,
          SqlStdOperatorTable.CASE,
          CAST,
          SqlStdOperatorTable.CAST,
          SqlStdOperatorTable.ITEM,
          SqlStdOperatorTable.ROW,
          SqlStdOperatorTable.ARRAY_VALUE_CONSTRUCTOR,
          SqlStdOperatorTable.CARDINALITY,
          SqlStdOperatorTable.ELEMENT,
          SqlStdOperatorTable.EXISTS,
          SqlStdOperatorTable.SCALAR_QUERY,
          SqlStdOperatorTable.NULLIF,
          SqlStdOperatorTable.DESC,
          SqlStdOperatorTable.NULLS_FIRST,
          SqlStdOperatorTable.NULLS_LAST,
          SqlStdOperatorTable.LITERAL_CHAIN,
          SqlStdOperatorTable.OVERLAPS,
          SqlStdOperatorTable.UNION,
          SqlStdOperatorTable.UNION_ALL,
          SqlStdOperatorTable.INTERSECT,
          SqlStdOperatorTable.EXCEPT,
          SqlStdOperatorTable.DESCRIPTOR,
          SqlStdOperatorTable.RESPECT_NULLS,
          SqlStdOperatorTable.IGNORE_NULLS,
          // Numbers
          SqlStdOperatorTable.POWER,
          SqlStdOperatorTable.MOD,
          SqlStdOperatorTable.LN,
          SqlStdOperatorTable.LOG10,
          SqlStdOperatorTable.ABS,
          SqlStdOperatorTable.EXP,
          SqlStdOperatorTable.FLOOR,
          SqlStdOperatorTable.CEIL,
          SqlStdOperatorTable.SIN,
          SqlStdOperatorTable.COS,
          SqlStdOperatorTable.TAN,
          SqlStdOperatorTable.COT,
          SqlStdOperatorTable.ASIN,
          SqlStdOperatorTable.ACOS,
          SqlStdOperatorTable.ATAN,
          SqlStdOperatorTable.ATAN2,
          SqlStdOperatorTable.DEGREES,
          SqlStdOperatorTable.RADIANS,
          SqlStdOperatorTable.SIGN,
          // Strings
          SqlStdOperatorTable.OVERLAY,
          SqlStdOperatorTable.TRIM,
          SqlStdOperatorTable.POSITION,
          SqlStdOperatorTable.CHAR_LENGTH,
          SqlStdOperatorTable.CHARACTER_LENGTH,
          SqlStdOperatorTable.UPPER,
          SqlStdOperatorTable.LOWER,
          SqlStdOperatorTable.INITCAP,
          // Time
          SqlStdOperatorTable.EXTRACT,
          SqlStdOperatorTable.YEAR,
          SqlStdOperatorTable.QUARTER,
          SqlStdOperatorTable.MONTH,
          SqlStdOperatorTable.WEEK,
          SqlStdOperatorTable.HOUR,
          SqlStdOperatorTable.MINUTE,
          SqlStdOperatorTable.SECOND,
          SqlStdOperatorTable.DAYOFYEAR,
          SqlStdOperatorTable.DAYOFMONTH,
          SqlStdOperatorTable.DAYOFWEEK,
          SqlStdOperatorTable.TIMESTAMP_ADD,
          SqlStdOperatorTable.TIMESTAMP_DIFF,
          SqlStdOperatorTable.CURRENT_DATE,
          // JSON
          SqlStdOperatorTable.JSON_VALUE,
          SqlStdOperatorTable.JSON_VALUE_EXPRESSION,
          SqlStdOperatorTable.JSON_EXISTS,
          SqlStdOperatorTable.IS_JSON_VALUE,
          SqlStdOperatorTable.IS_NOT_JSON_VALUE,
          SqlStdOperatorTable.IS_JSON_OBJECT,
          SqlStdOperatorTable.IS_NOT_JSON_OBJECT,
          SqlStdOperatorTable.IS_JSON_ARRAY,
          SqlStdOperatorTable.IS_NOT_JSON_ARRAY,
          SqlStdOperatorTable.IS_JSON_SCALAR,
          SqlStdOperatorTable.IS_NOT_JSON_SCALAR,
          // Aggregates
          SqlStdOperatorTable.COUNT,
          SqlStdOperatorTable.SUM,
          SqlStdOperatorTable.MIN,
          SqlStdOperatorTable.MAX,
          SqlStdOperatorTable.AVG,
          SqlStdOperatorTable.STDDEV,
          SqlStdOperatorTable.STDDEV_POP,
          SqlStdOperatorTable.STDDEV_SAMP,
          SqlStdOperatorTable.VARIANCE,
          SqlStdOperatorTable.VAR_POP,
          SqlStdOperatorTable.VAR_SAMP,
          SqlStdOperatorTable.APPROX_COUNT_DISTINCT,
          SqlStdOperatorTable.SINGLE_VALUE,
          SqlStdOperatorTable.ROW_NUMBER,
          SqlStdOperatorTable.RANK,
          SqlStdOperatorTable.DENSE_RANK,
          SqlStdOperatorTable.LEAD,
          SqlStdOperatorTable.LAG,
          // Legacy group windows
          SqlStdOperatorTable.TUMBLE_OLD,
          SqlStdOperatorTable.TUMBLE_START,
          SqlStdOperatorTable.TUMBLE_END,
          SqlStdOperatorTable.HOP_OLD,
          SqlStdOperatorTable.HOP_START,
          SqlStdOperatorTable.HOP_END,
          SqlStdOperatorTable.SESSION_OLD,
          SqlStdOperatorTable.SESSION_START,
          SqlStdOperatorTable.SESSION_END);

  private final Map<String, List<SqlOperator>> byName = new TreeMap<>();

  Operators() {
    STANDARD.forEach(this::add);
    numbers().forEach(this::add);
    strings().forEach(this::add);
    times().forEach(this::add);
    arrays().forEach(this::add);
    conditionals().forEach(this::add);
    aggregates().forEach(this::add);
    WindowFunctions.ALL.forEach(this::add);
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

  private static List<SqlOperator> numbers() {
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("LOG2", "SINH", "COSH", "TANH", "SQRT")) {
      list.add(function(name, ReturnTypes.DOUBLE_NULLABLE, OperandTypes.NUMERIC));
    }
    list.add(
        function(
            "LOG",
            ReturnTypes.DOUBLE_NULLABLE,
            OperandTypes.or(OperandTypes.NUMERIC, OperandTypes.NUMERIC_NUMERIC)));
    for (String name : List.of("ROUND", "TRUNCATE")) {
      list.add(
          function(
              name,
              FunctionTypes.ROUND,
              OperandTypes.or(OperandTypes.NUMERIC_INTEGER, OperandTypes.NUMERIC)));
    }
    list.add(function("BIN", FunctionTypes.STRING, families(SqlTypeFamily.INTEGER)));
    list.add(
        function(
            "HEX",
            FunctionTypes.STRING,
            OperandTypes.or(families(SqlTypeFamily.INTEGER), OperandTypes.CHARACTER)));
    list.add(function("E", ReturnTypes.DOUBLE, OperandTypes.NILADIC));
    list.add(function("PI", ReturnTypes.DOUBLE, OperandTypes.NILADIC));
    list.add(SqlStdOperatorTable.PI);
    list.add(
        function(
            "RAND",
            ReturnTypes.DOUBLE,
            OperandTypes.or(OperandTypes.NILADIC, OperandTypes.NUMERIC),
            false));
    list.add(
        function(
            "RAND_INTEGER",
            ReturnTypes.INTEGER,
            OperandTypes.or(
                families(SqlTypeFamily.INTEGER),
                families(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER)),
            false));
    list.add(function("UUID", FunctionTypes.character(36), OperandTypes.NILADIC, false));
    return list;
  }

  private static List<SqlOperator> strings() {
    SqlTypeFamily text = SqlTypeFamily.CHARACTER;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference string = FunctionTypes.STRING;
    SqlReturnTypeInference stringOrNull = FunctionTypes.STRING_OR_NULL;
    SqlReturnTypeInference bool = ReturnTypes.BOOLEAN_NULLABLE;
    SqlReturnTypeInference integer = ReturnTypes.INTEGER_NULLABLE;
    List<SqlOperator> list = new ArrayList<>();
    list.add(function("CONCAT", string, OperandTypes.repeat(atLeast(1), OperandTypes.CHARACTER)));
    list.add(
        function("CONCAT_WS", string, OperandTypes.repeat(atLeast(1), OperandTypes.CHARACTER)));
    for (String name : List.of("SUBSTRING", "SUBSTR")) {
      list.add(
          function(
              name,
              FunctionTypes.ARGUMENT_VARCHAR,
              OperandTypes.or(families(text, number), families(text, number, number))));
    }
    for (String name : List.of("LEFT", "RIGHT")) {
      list.add(function(name, FunctionTypes.ARGUMENT_VARCHAR, families(text, number)));
    }
    for (String name : List.of("LPAD", "RPAD")) {
      list.add(function(name, string, families(text, number, text)));
    }
    for (String name : List.of("LTRIM", "RTRIM", "BTRIM")) {
      list.add(function(name, string, OperandTypes.or(families(text), families(text, text))));
    }
    list.add(function("REPEAT", string, families(text, number)));
    list.add(function("REVERSE", stringOrNull, families(text)));
    list.add(function("REPLACE", string, families(text, text, text)));
    list.add(function("TRANSLATE3", string, families(text, text, text)));
    list.add(
        function(
            "SPLIT_INDEX",
            stringOrNull,
            OperandTypes.or(families(text, text, number), families(text, number, number))));
    list.add(function("SPLIT", FunctionTypes.STRINGS_OR_NULL, families(text, text)));
    list.add(function("ELT", FunctionTypes.ELT, OperandTypes.VARIADIC));
    list.add(function("CHR", stringOrNull, families(number)));
    list.add(function("ASCII", integer, families(text)));
    list.add(function("INSTR", integer, families(text, text)));
    list.add(
        function(
            "LOCATE",
            integer,
            OperandTypes.or(families(text, text), families(text, text, number))));
    list.add(function("STARTSWITH", bool, families(text, text)));
    list.add(function("ENDSWITH", bool, families(text, text)));
    for (String name : List.of("IS_DECIMAL", "IS_DIGIT", "IS_ALPHA")) {
      list.add(
          function(
              name,
              ReturnTypes.BOOLEAN,
              OperandTypes.or(OperandTypes.CHARACTER, OperandTypes.NUMERIC)));
    }
    list.add(function("REGEXP", bool, families(text, text)));
    list.add(function("REGEXP_REPLACE", string, families(text, text, text)));
    list.add(
        function(
            "REGEXP_EXTRACT",
            stringOrNull,
            OperandTypes.or(families(text, text), families(text, text, number))));
    list.add(
        function(
            "REGEXP_EXTRACT_ALL",
            FunctionTypes.STRINGS_OR_NULL,
            OperandTypes.or(families(text, text), families(text, text, number))));
    list.add(function("REGEXP_COUNT", FunctionTypes.INT_OR_NULL, families(text, text)));
    list.add(function("REGEXP_INSTR", FunctionTypes.INT_OR_NULL, families(text, text)));
    list.add(function("REGEXP_SUBSTR", stringOrNull, families(text, text)));
    list.add(function("TO_BASE64", string, families(text)));
    list.add(function("FROM_BASE64", string, families(text)));
    list.add(function("URL_ENCODE", stringOrNull, families(text)));
    list.add(function("URL_DECODE", stringOrNull, families(text)));
    list.add(
        function(
            "PARSE_URL",
            stringOrNull,
            OperandTypes.or(families(text, text), families(text, text, text))));
    list.add(function("MD5", FunctionTypes.character(32), families(text)));
    list.add(function("SHA1", FunctionTypes.character(40), families(text)));
    list.add(function("SHA224", FunctionTypes.character(56), families(text)));
    list.add(function("SHA256", FunctionTypes.character(64), families(text)));
    list.add(function("SHA384", FunctionTypes.character(96), families(text)));
    list.add(function("SHA512", FunctionTypes.character(128), families(text)));
    list.add(function("SHA2", FunctionTypes.HASH, families(text, number)));
    list.add(function("HASH_CODE", integer, OperandTypes.ANY));
    list.add(function("JSON_QUOTE", string, families(text)));
    list.add(function("JSON_UNQUOTE", string, families(text)));
    return list;
  }

  private static List<SqlOperator> times() {
    SqlTypeFamily text = SqlTypeFamily.CHARACTER;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference stringOrNull = FunctionTypes.STRING_OR_NULL;
    List<SqlOperator> list = new ArrayList<>();
    list.add(PROCTIME);
    list.add(constant("CURRENT_TIMESTAMP", INSTANT));
    list.add(function("NOW", INSTANT, OperandTypes.NILADIC, false));
    list.add(function("CURRENT_ROW_TIMESTAMP", INSTANT, OperandTypes.NILADIC, false));
    list.add(constant("LOCALTIMESTAMP", FunctionTypes.timestamp(SqlTypeName.TIMESTAMP, 3)));
    list.add(constant("CURRENT_TIME", ReturnTypes.explicit(SqlTypeName.TIME, 0)));
    list.add(constant("LOCALTIME", ReturnTypes.explicit(SqlTypeName.TIME, 0)));
    list.add(
        function(
            "DATE_FORMAT",
            stringOrNull,
            OperandTypes.or(families(SqlTypeFamily.TIMESTAMP, text), families(text, text))));
    list.add(
        function(
            "UNIX_TIMESTAMP",
            ReturnTypes.BIGINT_NULLABLE,
            OperandTypes.or(OperandTypes.NILADIC, families(text), families(text, text)),
            false));
    list.add(
        function(
            "FROM_UNIXTIME",
            stringOrNull,
            OperandTypes.or(families(number), families(number, text))));
    list.add(
        function(
            "TO_TIMESTAMP",
            FunctionTypes.timestampOrNull(SqlTypeName.TIMESTAMP, 3),
            OperandTypes.or(families(text), families(text, text))));
    list.add(
        function(
            "TO_TIMESTAMP_LTZ",
            FunctionTypes.INSTANT_OF_NUMBER,
            OperandTypes.or(
                families(SqlTypeFamily.NUMERIC),
                families(SqlTypeFamily.NUMERIC, number),
                families(text),
                families(text, text),
                families(text, text, text))));
    list.add(
        function(
            "TO_DATE",
            FunctionTypes.DATE_OR_NULL,
            OperandTypes.or(families(text), families(text, text))));
    list.add(function("CONVERT_TZ", stringOrNull, families(text, text, text)));
    return list;
  }

  private static List<SqlOperator> arrays() {
    SqlTypeFamily array = SqlTypeFamily.ARRAY;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference same = ReturnTypes.ARG0_NULLABLE;
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("ARRAY_APPEND", "ARRAY_PREPEND", "ARRAY_REMOVE")) {
      list.add(withElement(name, same));
    }
    for (String name : List.of("ARRAY_DISTINCT", "ARRAY_REVERSE")) {
      list.add(function(name, same, families(array)));
    }
    for (String name : List.of("ARRAY_UNION", "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_CONCAT")) {
      list.add(function(name, same, families(array, array)));
    }
    list.add(
        function(
            "ARRAY_SORT",
            same,
            OperandTypes.or(
                families(array),
                families(array, SqlTypeFamily.BOOLEAN),
                families(array, SqlTypeFamily.BOOLEAN, SqlTypeFamily.BOOLEAN))));
    list.add(
        function(
            "ARRAY_SLICE",
            same,
            OperandTypes.or(families(array, number), families(array, number, number))));
    list.add(withElement("ARRAY_CONTAINS", ReturnTypes.BOOLEAN_NULLABLE));
    list.add(withElement("ARRAY_POSITION", ReturnTypes.INTEGER_NULLABLE));
    for (String name : List.of("ARRAY_MAX", "ARRAY_MIN")) {
      list.add(function(name, FunctionTypes.ELEMENT_OR_NULL, families(array)));
    }
    list.add(
        function(
            "ARRAY_JOIN",
            FunctionTypes.STRING,
            OperandTypes.or(
                families(array, SqlTypeFamily.CHARACTER),
                families(array, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER))));
    return list;
  }

  /** A function of an array and of a value of its elements' type, which NULL is too. */
  private static SqlFunction withElement(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(
            name,
            type,
            families(SqlTypeFamily.ARRAY, SqlTypeFamily.ANY),
            SqlFunctionCategory.SYSTEM)
        .withOperandTypeInference(FunctionTypes.ELEMENT);
  }

  private static List<SqlOperator> conditionals() {
    List<SqlOperator> list = new ArrayList<>();
    list.add(TRY_CAST);
    for (Map.Entry<String, SqlOperandTypeChecker> entry :
        Map.of(
                "COALESCE",
                OperandTypes.VARIADIC,
                "IFNULL",
                OperandTypes.family(SqlTypeFamily.ANY, SqlTypeFamily.ANY))
            .entrySet()) {
      list.add(
          SqlBasicFunction.create(
                  entry.getKey(),
                  FunctionTypes.COALESCE,
                  entry.getValue(),
                  SqlFunctionCategory.SYSTEM)
              .withOperandTypeInference(InferTypes.FIRST_KNOWN));
    }
    list.add(
        function(
            "IF",
            FunctionTypes.IF,
            families(SqlTypeFamily.BOOLEAN, SqlTypeFamily.ANY, SqlTypeFamily.ANY)));
    for (String name : List.of("GREATEST", "LEAST")) {
      list.add(function(name, FunctionTypes.LEAST_RESTRICTIVE, OperandTypes.SAME_VARIADIC));
    }
    list.add(
        function(
            "TYPEOF",
            FunctionTypes.STRING,
            OperandTypes.or(OperandTypes.ANY, families(SqlTypeFamily.ANY, SqlTypeFamily.BOOLEAN))));
    return list;
  }

  private static List<SqlOperator> aggregates() {
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("FIRST_VALUE", "LAST_VALUE")) {
      list.add(
          aggregate(
              name,
              SqlKind.valueOf(name),
              ReturnTypes.ARG0_NULLABLE_IF_EMPTY,
              OperandTypes.or(OperandTypes.ANY, families(SqlTypeFamily.ANY, SqlTypeFamily.ANY))));
    }
    list.add(
        aggregate(
            "LISTAGG",
            SqlKind.LISTAGG,
            ReturnTypes.explicit(SqlTypeName.VARCHAR).andThen(SqlTypeTransforms.FORCE_NULLABLE),
            OperandTypes.or(
                OperandTypes.CHARACTER,
                families(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER))));
    SqlReturnTypeInference doubleOrNull =
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE);
    for (String name : List.of("PERCENTILE", "APPROX_QUANTILE")) {
      list.add(
          aggregate(
              name,
              SqlKind.OTHER_FUNCTION,
              doubleOrNull,
              families(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC)));
    }
    return list;
  }

  private static SqlOperandCountRange atLeast(int count) {
    return SqlOperandCountRanges.from(count);
  }

  private static SqlSingleOperandTypeChecker families(SqlTypeFamily... families) {
    return OperandTypes.family(families);
  }

  static SqlFunction function(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return function(name, type, operands, true);
  }

  static SqlFunction function(
      String name,
      SqlReturnTypeInference type,
      SqlOperandTypeChecker operands,
      boolean deterministic) {
    return SqlBasicFunction.create(name, type, operands, SqlFunctionCategory.SYSTEM)
        .withDeterministic(deterministic);
  }

  /** A function that is called without parentheses, and changes with time. */
  private static SqlFunction constant(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(name, type, OperandTypes.NILADIC, SqlFunctionCategory.TIMEDATE)
        .withSyntax(SqlSyntax.FUNCTION_ID)
        .withDeterministic(false);
  }

  private static SqlAggFunction aggregate(
      String name, SqlKind kind, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicAggFunction.create(name, kind, type, operands)
        .withFunctionType(SqlFunctionCategory.SYSTEM);
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
