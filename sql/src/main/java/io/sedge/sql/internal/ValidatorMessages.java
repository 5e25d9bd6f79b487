package io.sedge.sql.internal;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;

/** The validator's messages in plain words, with the nearest name where one is misspelt. */
final class ValidatorMessages {
  private static final Pattern NO_OBJECT =
      Pattern.compile("Object '(.*?)' not found(?:; did you mean '.*?'\\?)?(?: within '.*')?");
  private static final Pattern NO_COLUMN =
      Pattern.compile("Column '(.*?)' not found in (?:any table|table '(.*?)').*");
  private static final Pattern NO_TABLE = Pattern.compile("Table '(.*?)' not found");
  private static final Pattern NO_FUNCTION =
      Pattern.compile("No match found for function signature (.*?)\\((.*)\\)");
  private static final Pattern WRONG_TYPES =
      Pattern.compile(
          "Cannot apply '(.*?)' to arguments of type '(.*?)'\\. Supported form\\(s\\): (.*)",
          Pattern.DOTALL);
  private static final Pattern NOT_GROUPED =
      Pattern.compile("Expression '(.*?)' is not being grouped");

  private final Supplier<? extends Collection<String>> tables;
  private final Supplier<? extends Collection<String>> columns;
  private final Supplier<? extends Collection<String>> functions;

  /**
   * @param tables the names of tables that a misspelt one may have meant
   * @param columns those of columns
   * @param functions those of functions
   */
  ValidatorMessages(
      Supplier<? extends Collection<String>> tables,
      Supplier<? extends Collection<String>> columns,
      Supplier<? extends Collection<String>> functions) {
    this.tables = tables;
    this.columns = columns;
    this.functions = functions;
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
    return new Message(sentence(tidy(message)), Optional.empty());
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

  private Message noFunction(String name, String types) {
    boolean known = functions.get().contains(name.toUpperCase(java.util.Locale.ROOT));
    if (known) {
      return new Message(
          "%s cannot be called with (%s)".formatted(name, tidyTypes(types)), Optional.empty());
    }
    return new Message(
        "there is no function %s%s"
            .formatted(name, Names.didYouMean(name, functions.get()).replace("`", "")),
        Optional.empty());
  }

  private static Message wrongTypes(String operator, String call, String forms) {
    String supported =
        forms
            .lines()
            .map(String::strip)
            .map(ValidatorMessages::tidyTypes)
            .limit(3)
            .collect(java.util.stream.Collectors.joining(" or "));
    boolean numberWithText = call.contains("CHAR(") && operator.matches("[=<>!+*/-]+");
    return new Message(
        "%s cannot be applied to %s".formatted(operator, tidyTypes(call)),
        Optional.of(numberWithText ? "a CAST of one side to the type of the other" : supported));
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
