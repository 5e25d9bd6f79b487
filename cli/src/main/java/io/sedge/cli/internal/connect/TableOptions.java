package io.sedge.cli.internal.connect;

import java.util.Map;
import java.util.stream.Collectors;

/** The options of a table as a script has them. */
public final class TableOptions {
  private TableOptions() {}

  /**
   * The end of a {@code CREATE TABLE}. Nothing in a key or a value ends the text that it stands in.
   *
   * @param options as they are meant, without any quoting
   */
  public static String text(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> literal(option.getKey()) + " = " + literal(option.getValue()))
        .collect(Collectors.joining(",\n  ", "WITH (\n  ", "\n)"));
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
