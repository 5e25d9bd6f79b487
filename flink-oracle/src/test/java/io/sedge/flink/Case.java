package io.sedge.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A query that both engines answer, from a file of {@code cases} (its README has the form).
 *
 * @param name what it is about
 * @param statements what comes before the query: settings, views; may be empty
 * @param query one SELECT, without a semicolon
 * @param flink what Flink is asked where it has no such query: another one of the same meaning
 * @param sorted whether the order of rows counts
 * @param key how many leading columns name the row that an update replaces; -1 if updates take back
 *     what they replace
 * @param refused why Sedge refuses it by design, or empty
 * @param fault what Flink does wrong, so that the answers differ, or empty
 */
record Case(
    String name,
    String statements,
    String query,
    String flink,
    boolean sorted,
    int key,
    String refused,
    String fault) {
  private static final String ON_FLINK = "\nON FLINK\n";

  private static final Pattern HEADING =
      Pattern.compile(
          "== (?<name>.*?)(?<sorted> \\[sorted])?(?: \\[key: (?<key>\\d)])?(?: \\[refused:"
              + " (?<refused>.*)])?(?: \\[fault of Flink: (?<fault>.*)])?");

  static List<Case> read(String resource) throws IOException {
    List<Case> cases = new ArrayList<>();
    Matcher heading = null;
    StringBuilder text = new StringBuilder();
    for (String line : lines(resource)) {
      Matcher next = HEADING.matcher(line);
      if (next.matches()) {
        add(heading, text, cases);
        heading = next;
      } else if (!line.startsWith("#")) {
        text.append(line).append('\n');
      }
    }
    add(heading, text, cases);
    return cases;
  }

  static List<String> lines(String resource) throws IOException {
    return text(resource).lines().toList();
  }

  static String text(String resource) throws IOException {
    try (InputStream stream = Case.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IOException(resource + " is not among the test resources");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void add(Matcher heading, StringBuilder text, List<Case> cases) {
    if (heading != null) {
      int other = text.indexOf(ON_FLINK);
      String own = other < 0 ? text.toString() : text.substring(0, other);
      List<String> parts = Statements.split(own);
      cases.add(
          new Case(
              heading.group("name"),
              parts.subList(0, parts.size() - 1).stream()
                  .map(statement -> statement + ";\n")
                  .collect(Collectors.joining()),
              parts.getLast(),
              other < 0 ? parts.getLast() : text.substring(other + ON_FLINK.length()).strip(),
              heading.group("sorted") != null,
              heading.group("key") == null ? -1 : Integer.parseInt(heading.group("key")),
              orEmpty(heading.group("refused")),
              orEmpty(heading.group("fault"))));
    }
    text.setLength(0);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
