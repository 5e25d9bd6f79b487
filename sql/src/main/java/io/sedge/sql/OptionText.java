package io.sedge.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Changes an option of a table in the text of a script. */
public final class OptionText {
  private static final Pattern LINE_END = Pattern.compile("\\R");

  private OptionText() {}

  /** A token that says something: no blank, no comment. */
  private record Part(int begin, int end) {}

  /**
   * Gives an option another value where its table is declared.
   *
   * @param line where the declaration begins, from 1
   * @param value any text
   * @return with as many lines as before; the same text if the statement does not have the option
   */
  public static String with(String script, int line, String key, String value) {
    List<Part> parts = statement(script, beginOf(script, line));
    for (int i = 0; i + 2 < parts.size(); i++) {
      if (text(script, parts.get(i)).equals("'" + key + "'")
          && text(script, parts.get(i + 1)).equals("=")) {
        Part old = parts.get(i + 2);
        return script.substring(0, old.begin())
            + "'"
            + value.replace("'", "''")
            + "'"
            + script.substring(old.end());
      }
    }
    return script;
  }

  private static int beginOf(String script, int line) {
    Matcher end = LINE_END.matcher(script);
    int begin = 0;
    for (int i = 1; i < line && end.find(); i++) {
      begin = end.end();
    }
    return begin;
  }

  /** What stands from a place to the end of the statement. */
  private static List<Part> statement(String script, int from) {
    List<Part> parts = new ArrayList<>();
    ScriptTokens.each(
        script,
        (begin, end) -> parts.add(new Part(begin, end)),
        (begin, end) -> {
          String text = script.substring(begin, end);
          if (!text.isBlank() && !text.startsWith("--") && !text.startsWith("/*")) {
            parts.add(new Part(begin, end));
          }
        });
    return parts.stream()
        .dropWhile(part -> part.begin() < from)
        .takeWhile(part -> !text(script, part).equals(";"))
        .toList();
  }

  private static String text(String script, Part part) {
    return script.substring(part.begin(), part.end());
  }
}
