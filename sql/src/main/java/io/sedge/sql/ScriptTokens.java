package io.sedge.sql;

/**
 * The tokens of a script as far as one must know them to tell what stands in a string: comments,
 * quoted names and strings, and single characters.
 */
final class ScriptTokens {
  private final String script;

  private ScriptTokens(String script) {
    this.script = script;
  }

  /** Takes a part of a script, from its first character to that after its last one. */
  interface Token {
    void take(int begin, int end);
  }

  /** Hands on all of a script, in its order. */
  static void each(String script, Token string, Token other) {
    ScriptTokens tokens = new ScriptTokens(script);
    int position = 0;
    while (position < script.length()) {
      int end = tokens.endOfToken(position);
      (script.charAt(position) == '\'' ? string : other).take(position, end);
      position = end;
    }
  }

  /** The end of a comment, a quoted name or string, or one other character. */
  private int endOfToken(int position) {
    if (script.startsWith("--", position)) {
      return endAfter("\n", position);
    }
    if (script.startsWith("/*", position)) {
      return endAfter("*/", position + 2);
    }
    char c = script.charAt(position);
    boolean quoted = c == '\'' || c == '`' || c == '"';
    return quoted ? endAfter(String.valueOf(c), position + 1) : position + 1;
  }

  private int endAfter(String end, int from) {
    int found = script.indexOf(end, from);
    return found < 0 ? script.length() : found + end.length();
  }
}
