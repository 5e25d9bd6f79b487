package io.sedge.flink;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query that both engines answer, from a file of {@code cases} (its README has the form).
 *
 * @param name what it is about
 * @param query one SELECT, without a semicolon
 * @param batch whether Flink answers in batch mode
 * @param refused why Sedge refuses it by design, or empty
 */
record Case(String name, String query, boolean batch, String refused) {
  private static final Pattern HEADING =
      Pattern.compile("== (?<name>.*?)(?<batch> \\[batch\\])?(?: \\[refused: (?<refused>.*)\\])?");

  static List<Case> read(String resource) throws IOException {
    List<Case> cases = new ArrayList<>();
    Matcher heading = null;
    StringBuilder query = new StringBuilder();
    for (String line : lines(resource)) {
      Matcher next = HEADING.matcher(line);
      if (next.matches()) {
        add(heading, query, cases);
        heading = next;
      } else {
        query.append(line).append('\n');
      }
    }
    add(heading, query, cases);
    return cases;
  }

  static List<String> lines(String resource) throws IOException {
    try (InputStream stream = Case.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IOException(resource + " is not among the test resources");
      }
      return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
          .lines()
          .toList();
    }
  }

  private static void add(Matcher heading, StringBuilder query, List<Case> cases) {
    if (heading != null) {
      String refused = heading.group("refused");
      cases.add(
          new Case(
              heading.group("name"),
              query.toString().strip(),
              heading.group("batch") != null,
              refused == null ? "" : refused));
    }
    query.setLength(0);
  }
}
