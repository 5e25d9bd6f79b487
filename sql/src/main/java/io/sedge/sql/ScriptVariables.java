package io.sedge.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Variables of a script, inside its strings, so that one script serves several brokers, plants and
 * directories. Names, keywords, comments and quoted identifiers have none.
 *
 * <table>
 * <caption>Notation; that of the first two is POSIX shells' "Parameter Expansion"</caption>
 * <tr><td><code>&#36;{NAME}</code></td><td>the value</td></tr>
 * <tr><td><code>&#36;{NAME:-default}</code></td><td>the default if unset or empty</td></tr>
 * <tr><td><code>&#36;&#36;{</code></td><td>the characters <code>&#36;{</code></td></tr>
 * <tr><td><code>&#36;{kind:name}</code></td><td>no variable: left as it is</td></tr>
 * </table>
 */
public final class ScriptVariables {
  private static final Pattern VARIABLE =
      Pattern.compile(
          "\\$(?:(\\$\\{)|\\{(?:([A-Za-z_]\\w*)(:-([^}']*))?|(\\w+:[^}']*)|([^}']*))})");

  private final String script;
  private final Function<String, Optional<String>> values;
  private final StringBuilder resolved = new StringBuilder();
  private final Set<String> names = new LinkedHashSet<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * A script whose variables have their values.
   *
   * @param text with as many lines as before
   * @param names of the variables that occur in it
   */
  public record Resolved(String text, Set<String> names) {
    public Resolved {
      names = Set.copyOf(names);
    }
  }

  private ScriptVariables(String script, Function<String, Optional<String>> values) {
    this.script = script;
    this.values = values;
  }

  /**
   * Puts values in the place of variables.
   *
   * @param values asked for each name
   * @throws SqlException if a variable without a default has no value, a value has control
   *     characters, or what stands in the braces is no name
   */
  public static Resolved resolve(String script, Function<String, Optional<String>> values)
      throws SqlException {
    return new ScriptVariables(script, values).resolve();
  }

  /**
   * The names that <code>&#36;{kind:name}</code> names in the strings of a script.
   *
   * @param kind before the colon
   */
  public static Set<String> references(String kind, String script) {
    Set<String> found = new LinkedHashSet<>();
    ScriptTokens.each(
        script,
        (begin, end) -> {
          Matcher matcher = VARIABLE.matcher(script).region(begin, end);
          while (matcher.find()) {
            String reference = matcher.group(5);
            if (reference != null && reference.startsWith(kind + ":")) {
              found.add(reference.substring(kind.length() + 1));
            }
          }
        },
        (_, _) -> {});
    return found;
  }

  private Resolved resolve() throws SqlException {
    ScriptTokens.each(
        script, this::resolveString, (begin, end) -> resolved.append(script, begin, end));
    if (!problems.isEmpty()) {
      throw new SqlException(problems);
    }
    return new Resolved(resolved.toString(), names);
  }

  private void resolveString(int begin, int end) {
    Matcher matcher = VARIABLE.matcher(script).region(begin, end);
    int copied = begin;
    while (matcher.find()) {
      resolved.append(script, copied, matcher.start()).append(value(matcher));
      copied = matcher.end();
    }
    resolved.append(script, copied, end);
  }

  private String value(Matcher matcher) {
    if (matcher.group(1) != null) {
      return matcher.group(1);
    }
    if (matcher.group(5) != null) {
      return matcher.group();
    }
    String name = matcher.group(2);
    if (name == null) {
      return refuse(
          matcher.start(),
          "'%s' is not the name of a variable: letters, digits and _ make one"
              .formatted(matcher.group()),
          "$%s where no variable is meant".formatted(matcher.group()));
    }
    names.add(name);
    String value = values.apply(name).orElse("");
    if (value.isEmpty()) {
      return matcher.group(3) == null
          ? refuse(
              matcher.start(),
              "the variable %s has no value".formatted(name),
              "${%s:-default}, or give it with --var %s=VALUE or in the environment"
                  .formatted(name, name))
          : matcher.group(4);
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      return refuse(
          matcher.start(),
          "the value of the variable %s has control characters, such as a line's end"
              .formatted(name),
          "a value of one line");
    }
    return value.replace("'", "''");
  }

  private String refuse(int position, String message, String remedy) {
    String before = script.substring(0, position);
    int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    problems.add(
        new Problem(line, position - before.lastIndexOf('\n'), message, Optional.of(remedy)));
    return "";
  }
}
