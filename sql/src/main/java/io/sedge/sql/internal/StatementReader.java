package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts a script into statements at the semicolons that stand outside of strings, quoted names and
 * comments, and outside of {@code EXECUTE STATEMENT SET BEGIN … END}.
 */
final class StatementReader {
  /**
   * A statement.
   *
   * @param text without its semicolon
   * @param line of its first character, from 1
   * @param column of its first character, from 1
   */
  record Statement(String text, int line, int column) {
    /** The text moved to its place, so that a parser's positions are those of the script. */
    String placed() {
      return "\n".repeat(line - 1) + " ".repeat(column - 1) + text;
    }
  }

  /** Some editors put it before UTF-8. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final String script;
  private final List<Statement> statements = new ArrayList<>();
  private final List<String> words = new ArrayList<>();
  private int position;
  private int line = 1;
  private int column = 1;
  private int start = -1;
  private int startLine;
  private int startColumn;
  private int nestedCases;

  private StatementReader(String script) {
    this.script = script;
  }

  static List<Statement> read(String script) {
    StatementReader reader =
        new StatementReader(script.startsWith(BYTE_ORDER_MARK) ? script.substring(1) : script);
    while (reader.position < reader.script.length()) {
      reader.step();
    }
    reader.endStatement();
    return reader.statements;
  }

  private void step() {
    char c = script.charAt(position);
    if (startsWith("--")) {
      skipUntil("\n");
    } else if (startsWith("/*") && !startsWith("/*+")) {
      skipUntil("*/");
    } else if (c == '\'' || c == '`' || c == '"') {
      begin();
      skipQuoted(c);
    } else if (c == ';' && !insideSet()) {
      endStatement();
      advance(1);
    } else if (Character.isLetter(c) || c == '_') {
      begin();
      word();
    } else {
      if (!Character.isWhitespace(c)) {
        begin();
        if (c == ';') {
          words.add(";");
        }
      }
      advance(1);
    }
  }

  /** Whether BEGIN of a statement set is open: its END is the last word, cases aside. */
  private boolean insideSet() {
    boolean set =
        words.size() >= 4
            && words.subList(0, 4).equals(List.of("EXECUTE", "STATEMENT", "SET", "BEGIN"));
    return set && nestedCases >= 0;
  }

  private void word() {
    int from = position;
    while (position < script.length()
        && (Character.isLetterOrDigit(script.charAt(position)) || script.charAt(position) == '_')) {
      advance(1);
    }
    String word = script.substring(from, position).toUpperCase(Locale.ROOT);
    if (word.equals("CASE")) {
      nestedCases++;
    } else if (word.equals("END")) {
      nestedCases--;
    }
    words.add(word);
  }

  private void begin() {
    if (start < 0) {
      start = position;
      startLine = line;
      startColumn = column;
    }
  }

  private void endStatement() {
    if (start >= 0) {
      statements.add(
          new Statement(script.substring(start, position).stripTrailing(), startLine, startColumn));
    }
    start = -1;
    words.clear();
    nestedCases = 0;
  }

  private boolean startsWith(String prefix) {
    return script.startsWith(prefix, position);
  }

  private void skipUntil(String end) {
    int found = script.indexOf(end, position);
    advance(found < 0 ? script.length() - position : found + end.length() - position);
  }

  /** A doubled quote is a quote; it reads as two quoted parts, which comes to the same. */
  private void skipQuoted(char quote) {
    int end = script.indexOf(quote, position + 1);
    advance(end < 0 ? script.length() - position : end + 1 - position);
  }

  private void advance(int count) {
    for (int i = 0; i < count; i++) {
      if (script.charAt(position++) == '\n') {
        line++;
        column = 1;
      } else {
        column++;
      }
    }
  }
}
