package io.sedge.flink;

import java.util.ArrayList;
import java.util.List;

/** Cuts a script at the semicolons that end statements. */
final class Statements {
  private Statements() {}

  /**
   * The statements, without their semicolons; blank ones are left out. Knows quotes, backquotes and
   * line comments, and keeps {@code STATEMENT SET BEGIN … END} together.
   */
  static List<String> split(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < script.length(); i++) {
      char c = script.charAt(i);
      if (quote == 0 && c == '-' && script.startsWith("--", i)) {
        int end = script.indexOf('\n', i);
        i = end < 0 ? script.length() : end;
        statement.append('\n');
        continue;
      }
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '`' || c == '"') {
        quote = c;
      }
      if (c == ';' && quote == 0 && !insideSet(statement)) {
        add(statement, statements);
      } else {
        statement.append(c);
      }
    }
    add(statement, statements);
    return statements;
  }

  private static boolean insideSet(StringBuilder statement) {
    String text = statement.toString().strip().toUpperCase(java.util.Locale.ROOT);
    return text.startsWith("EXECUTE STATEMENT SET") && !text.endsWith("END");
  }

  private static void add(StringBuilder statement, List<String> statements) {
    String text = statement.toString().strip();
    if (!text.isEmpty()) {
      statements.add(text);
    }
    statement.setLength(0);
  }
}
