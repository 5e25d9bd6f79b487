package io.sedge.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code docs/sql.md} says that a script may have: the code in the tables of its sections, as
 * patterns. A word in capitals stands for itself, any other word for some name or value, "…" for
 * anything, and what is in brackets after a space may be left out.
 */
final class SqlPage {
  private static final Pattern ROW = Pattern.compile("\\| (?<first>.*?) \\| (?<second>.*) \\|");

  /** The kinds of functions that Flink lacks, or has in another form. */
  private static final Set<String> OWN = Set.of("approximate aggregates", "detectors");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TOKEN =
      Pattern.compile("…|'[^']*'|(?<capitals>[A-Z][A-Z_0-9]*)|(?<word>[a-z]\\w*)|(?<space>\\s+)|.");

  private final String text;

  SqlPage() throws IOException {
    text = Files.readString(Path.of("..", "docs", "sql.md"));
  }

  /** The code in the first cells of a section's tables. */
  List<String> constructs(String section) {
    return code(section, "first");
  }

  /** The code in the second cells of the table of functions, but for those that Flink lacks. */
  List<String> functions() {
    return code("Functions", "second");
  }

  private List<String> code(String section, String cell) {
    List<String> found = new ArrayList<>();
    String after = text.substring(text.indexOf("\n## " + section + "\n") + 1);
    int end = after.indexOf("\n## ");
    after
        .substring(0, end < 0 ? after.length() : end)
        .lines()
        .forEach(line -> add(line, cell, found));
    return found.stream().distinct().toList();
  }

  private static void add(String line, String cell, List<String> found) {
    Matcher row = ROW.matcher(line);
    if (row.matches() && !OWN.contains(row.group("first"))) {
      CODE.matcher(row.group(cell)).results().forEach(code -> found.add(code.group(1)));
    }
  }

  /** What a script has that makes use of some code of the page. */
  static Pattern pattern(String code) {
    StringBuilder pattern = new StringBuilder();
    Matcher token = TOKEN.matcher(code);
    int optional = 0;
    while (token.find()) {
      String text = token.group();
      if (text.equals("…")) {
        pattern.append(".*?");
      } else if (text.startsWith("'")) {
        pattern.append("'[^']*'");
      } else if (token.group("capitals") != null) {
        pattern.append("\\b").append(text).append("\\b");
      } else if (token.group("word") != null) {
        pattern.append("[\\w.`, ]+?");
      } else if (token.group("space") != null) {
        pattern.append("\\s*");
      } else if (text.equals("[")
          && (token.start() == 0 || code.charAt(token.start() - 1) == ' ')) {
        pattern.append("(?:");
        optional++;
      } else if (text.equals("]") && optional > 0) {
        pattern.append(")?");
        optional--;
      } else {
        pattern.append(Pattern.quote(text));
      }
    }
    return Pattern.compile(pattern.toString(), Pattern.DOTALL);
  }
}
