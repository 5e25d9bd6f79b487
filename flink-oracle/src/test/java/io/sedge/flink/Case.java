package io.sedge.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query that both engines answer, from a file of {@code cases} (its README has the form).
 *
 * @param name what it is about
 * @param statements what comes before the query: settings, views; may be empty
 * @param query one SELECT, without a semicolon
 * @param sorted whether the order of rows counts
 * @param refused why Sedge refuses it by design, or empty
 */
record Case(String name, String statements, String query, boolean sorted, String refused) {
  private static final Pattern HEADING =
      Pattern.compile("== (?<name>.*?)(?<sorted> \\[sorted])?(?: \\[refused: (?<refused>.*)])?");

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
      int query = text.lastIndexOf(";") + 1;
      String refused = heading.group("refused");
      cases.add(
          new Case(
              heading.group("name"),
              text.substring(0, query).strip(),
              text.substring(query).strip(),
              heading.group("sorted") != null,
              refused == null ? "" : refused));
    }
    text.setLength(0);
  }
}
