package io.sedge.sql.internal;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.runtime.CalciteContextException;
import org.jspecify.annotations.Nullable;

/** The validator's messages in plain words, with the nearest name where one is misspelt. */
final class ValidatorMessages {
  private static final Pattern NO_OBJECT =
      Pattern.compile("Object '(.*?)' not found(?:; did you mean '.*?'\\?)?(?: within '.*')?");
  private static final Pattern NO_COLUMN =
      Pattern.compile("Column '(.*?)' not found in (?:any table|table '(.*?)').*");
  private static final Pattern NO_TABLE = Pattern.compile("Table '(.*?)' not found");
  private static final Pattern NO_FUNCTION =
      Pattern.compile("No match found for function signature (?:NOT )?(.*?)(?:\\((.*)\\))?");
  private static final Pattern WRONG_TYPES =
      Pattern.compile(
          "Cannot apply '(.*?)' to arguments of type '(.*?)'\\. Supported form\\(s\\): (.*)",
          Pattern.DOTALL);
  private static final Pattern WRONG_COUNT =
      Pattern.compile(
          "Invalid number of arguments to function '(.*?)'\\. Was expecting (.*?) arguments?");
  private static final Pattern NO_TYPE = Pattern.compile("Unknown identifier '(.*?)'");
  private static final Pattern AMBIGUOUS = Pattern.compile("Column '(.*?)' is ambiguous");
  private static final Pattern BAD_TIME =
      Pattern.compile("Illegal (\\w+) literal '(.*)': not in format '(.*)'");

  /** Names of Calcite's own for what may stand somewhere. */
  private static final Pattern INTERNAL = Pattern.compile("COMPARABLE_TYPE|DATETIME_INTERVAL");

  private static final List<String> TYPES =
      List.of(
          "STRING",
          "CHAR",
          "VARCHAR",
          "BOOLEAN",
          "TINYINT",
          "SMALLINT",
          "INT",
          "INTEGER",
          "BIGINT",
          "FLOAT",
          "DOUBLE",
          "DECIMAL",
          "NUMERIC",
          "DATE",
          "TIME",
          "TIMESTAMP",
          "TIMESTAMP_LTZ",
          "ARRAY",
          "ROW");

  /** Messages that need other words. */
  private static final Map<String, Message> PLAIN =
      Map.of(
          "Illegal use of 'NULL'",
              new Message(
                  "NULL has no type here", Optional.of("CAST(NULL AS STRING), or its type")),
          "WHERE clause must be a condition",
              new Message(
                  "WHERE takes a condition, not a value",
                  Optional.of("a comparison of it: … <> 0")),
          "Aggregate expressions cannot be nested",
              new Message(
                  "an aggregate cannot stand inside another",
                  Optional.of(
                      "the inner one in a query of its own: FROM (SELECT COUNT(*) AS c …)")),
          "OVER clause is necessary for window functions",
              new Message(
                  "this function stands over the rows of a key, in the order of time",
                  Optional.of("OVER (PARTITION BY key ORDER BY ts) after it")),
          "ROW/RANGE not allowed with RANK, DENSE_RANK or ROW_NUMBER functions",
              new Message(
                  "this function has no ROWS or RANGE: it looks at all rows of the key so far",
                  Optional.of("OVER (PARTITION BY key ORDER BY ts)")),
          "Require at least 1 argument",
              new Message(
                  "an ARRAY without a value has no type here",
                  Optional.of("a value in it: ARRAY[0]; or CAST(NULL AS ARRAY<INT>)")),
          "Aggregate expression is illegal in WHERE clause",
              new Message("an aggregate cannot stand in WHERE", Optional.of("it in HAVING")));

  private static final Pattern NOT_GROUPED =
      Pattern.compile("Expression '(.*?)' is not being grouped");

  private final Supplier<? extends Collection<String>> tables;
  private final Supplier<? extends Collection<String>> columns;
  private final Operators operators;

  /**
   * @param tables the names of tables that a misspelt one may have meant
   * @param columns those of columns
   * @param operators the functions that a misspelt one may have meant
   */
  ValidatorMessages(
      Supplier<? extends Collection<String>> tables,
      Supplier<? extends Collection<String>> columns,
      Operators operators) {
    this.tables = tables;
    this.columns = columns;
    this.operators = operators;
  }

  /** What went wrong, and what to do. */
  record Message(String text, Optional<String> remedy) {}

  Message of(CalciteContextException exception) {
    String message =
        String.valueOf(
            exception.getCause() == null
                ? exception.getMessage()
                : exception.getCause().getMessage());
    Matcher matcher = NO_OBJECT.matcher(message);
    if (matcher.matches()) {
      return unknown("table", matcher.group(1), tables.get());
    }
    matcher = NO_TABLE.matcher(message);
    if (matcher.matches()) {
      return unknown("table", matcher.group(1), tables.get());
    }
    matcher = NO_COLUMN.matcher(message);
    if (matcher.matches()) {
      return unknown("column", matcher.group(1), columns.get());
    }
    matcher = NO_FUNCTION.matcher(message);
    if (matcher.matches()) {
      return noFunction(matcher.group(1), matcher.group(2));
    }
    matcher = WRONG_COUNT.matcher(message);
    if (matcher.matches()) {
      return new Message(
          "wrong number of arguments for %s: it takes %s"
              .formatted(matcher.group(1), operators.argumentCounts(matcher.group(1))),
          Optional.empty());
    }
    matcher = NO_TYPE.matcher(message);
    if (matcher.matches()) {
      return unknownName(matcher.group(1));
    }
    matcher = AMBIGUOUS.matcher(message);
    if (matcher.matches()) {
      return new Message(
          "column `%s` is in more than one table".formatted(matcher.group(1)),
          Optional.of("a table's name or alias before it: t.%s".formatted(matcher.group(1))));
    }
    Message plain = PLAIN.get(message);
    if (plain != null) {
      return plain;
    }
    matcher = WRONG_TYPES.matcher(message);
    if (matcher.matches()) {
      return wrongTypes(matcher.group(1), matcher.group(2), matcher.group(3));
    }
    matcher = NOT_GROUPED.matcher(message);
    if (matcher.matches()) {
      return new Message(
          "%s is neither in GROUP BY nor inside an aggregate".formatted(tidy(matcher.group(1))),
          Optional.of("it in GROUP BY, or an aggregate of it such as LAST_VALUE"));
    }
    matcher = BAD_TIME.matcher(message);
    if (matcher.matches()) {
      return badTime(matcher.group(1), matcher.group(2), matcher.group(3));
    }
    return new Message(sentence(tidy(message)), Optional.empty());
  }

  /** That a constant is no time; of the right form it may be, as 30 February is. */
  private static Message badTime(String type, String text, String format) {
    boolean formed =
        text.matches(
            format.replaceAll("[a-zA-Z]", "\\\\d") + (type.equals("DATE") ? "" : "(\\.\\d+)?"));
    return new Message(
        formed
            ? "there is no %s '%s'".formatted(type, text)
            : "%s '%s' is not in the format %s".formatted(type, text, format),
        Optional.empty());
  }

  private static Message unknown(String what, String name, Collection<String> known) {
    String hint = Names.didYouMean(name, known);
    List<String> all = known.stream().filter(other -> other.charAt(0) != 0).sorted().toList();
    String rest =
        hint.isEmpty() && !all.isEmpty() && all.size() <= 12
            ? "; there are " + String.join(", ", all)
            : hint;
    return new Message("there is no %s `%s`%s".formatted(what, name, rest), Optional.empty());
  }

  private Message noFunction(String name, @Nullable String types) {
    boolean known = operators.functionNames().contains(name.toUpperCase(Locale.ROOT));
    if (known && types != null) {
      return new Message(
          "%s cannot be called with (%s)".formatted(name, tidyTypes(types)), Optional.empty());
    }
    return new Message(
        MissingFunctions.text(name, operators.functionNames()), MissingFunctions.remedy(name));
  }

  /** A name that is neither a column nor a type. */
  private static Message unknownName(String name) {
    String hint = Names.didYouMean(name.toUpperCase(Locale.ROOT), TYPES).replace("`", "");
    return hint.isEmpty()
        ? new Message("there is nothing called %s here".formatted(name), Optional.empty())
        : new Message("there is no type %s%s".formatted(name, hint), Optional.empty());
  }

  private static Message wrongTypes(String operator, String call, String forms) {
    if (operator.equals("$SCALAR_QUERY")) {
      return new Message("a query within an expression gives one column", Optional.empty());
    }
    String arguments = tidyTypes(call);
    if (arguments.startsWith(operator + "(") && arguments.endsWith(")")) {
      return new Message(
          "%s cannot be called with %s".formatted(operator, arguments.substring(operator.length())),
          remedy(forms, ValidatorMessages::form));
    }
    boolean numberWithText = call.contains("CHAR(") && operator.matches("[=<>!+*/-]+");
    return new Message(
        "%s cannot be applied to %s".formatted(operator, tidyTypes(call)),
        numberWithText
            ? Optional.of("a CAST of one side to the type of the other")
            : remedy(forms, ValidatorMessages::tidyTypes));
  }

  /** The forms that are supported, if people can understand them. */
  private static Optional<String> remedy(String forms, UnaryOperator<String> words) {
    return INTERNAL.matcher(forms).find()
        ? Optional.empty()
        : Optional.of(
            forms
                .lines()
                .map(String::strip)
                .map(words)
                .limit(3)
                .collect(Collectors.joining(" or ")));
  }

  /** A form of a call in the names of types. */
  private static String form(String text) {
    String bare =
        text.length() > 2 && text.startsWith("'") && text.endsWith("'")
            ? text.substring(1, text.length() - 1)
            : text;
    return tidyTypes(bare).replace("CHARACTER", "STRING").replace("NUMERIC", "number");
  }

  private static String tidyTypes(String text) {
    return tidy(text)
        .replaceAll("<(VARCHAR)\\(2147483647\\)>", "STRING")
        .replace("INTEGER", "INT")
        .replaceAll("<([^<>]*)>", "$1");
  }

  /** Without character sets and the marks of Calcite's own notation. */
  private static String tidy(String text) {
    return text.replaceAll(" CHARACTER SET \"[^\"]*\"", "")
        .replace("TIMESTAMP_WITH_LOCAL_TIME_ZONE", "TIMESTAMP_LTZ")
        .replace("VARCHAR(2147483647)", "STRING");
  }

  /** Without a full stop, and with a small first letter where the word is not a name. */
  static String sentence(String message) {
    String text = message.strip();
    if (text.endsWith(".")) {
      text = text.substring(0, text.length() - 1);
    }
    boolean word =
        text.length() > 1
            && Character.isUpperCase(text.charAt(0))
            && Character.isLowerCase(text.charAt(1));
    return word ? Character.toLowerCase(text.charAt(0)) + text.substring(1) : text;
  }
}
