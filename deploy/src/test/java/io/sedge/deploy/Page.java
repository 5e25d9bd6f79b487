package io.sedge.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A page in Markdown: what it links to, what may be linked to in it, and the code that it has. */
final class Page {
  private static final Pattern FENCE = Pattern.compile("\\s*```(\\w*).*");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern LINK_WITH_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
  private static final Pattern MARK = Pattern.compile("<a id=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** What has no place in the anchor that GitHub makes of a heading. */
  private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{M}\\p{N}\\p{Pc} -]");

  private final List<String> links = new ArrayList<>();
  private final List<String> code = new ArrayList<>();
  private final List<List<String>> blocks = new ArrayList<>();
  private final Set<String> anchors = new HashSet<>();
  private final Map<String, Integer> headings = new HashMap<>();
  private final String text;

  Page(String text) {
    this.text = unbroken(text);
    String language = null;
    for (String line : text.lines().toList()) {
      var fence = FENCE.matcher(line);
      if (fence.matches()) {
        if (language == null) {
          language = fence.group(1);
          blocks.add(new ArrayList<>());
        } else {
          language = null;
        }
      } else if (language == null) {
        addProse(line);
      } else {
        String statement = unbroken(withoutComment(language, line));
        if (!statement.isEmpty()) {
          blocks.getLast().add(statement);
        }
      }
    }
  }

  static Page read(Path file) throws IOException {
    return new Page(Files.readString(file));
  }

  private void addProse(String line) {
    var heading = HEADING.matcher(line);
    if (heading.matches()) {
      addHeading(heading.group(1));
    }
    MARK.matcher(line).results().forEach(mark -> anchors.add(mark.group(1)));
    CODE.matcher(line).results().forEach(span -> code.add(unbroken(span.group(1))));
    LINK.matcher(CODE.matcher(line).replaceAll(""))
        .results()
        .forEach(link -> links.add(link.group(1)));
  }

  private void addHeading(String heading) {
    String words = LINK_WITH_TEXT.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
    String anchor = NOT_IN_ANCHORS.matcher(words).replaceAll("").replace(' ', '-');
    int before = headings.merge(anchor, 1, Integer::sum) - 1;
    anchors.add(before == 0 ? anchor : anchor + "-" + before);
  }

  private static String withoutComment(String language, String line) {
    return line.replaceFirst(language.equals("sql") ? "--.*" : "(^|\\s)#\\s.*", "");
  }

  private static String unbroken(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  /** Where its links lead, as they are written. */
  List<String> links() {
    return links;
  }

  boolean hasAnchor(String anchor) {
    return anchors.contains(anchor);
  }

  /** The lines of its fenced code, without comments, that do not stand together in the other. */
  List<List<String>> blocksMissingIn(Page other) {
    return blocks.stream()
        .filter(
            block ->
                other.blocks.stream()
                    .allMatch(there -> Collections.indexOfSubList(there, block) < 0))
        .toList();
  }

  /** Its code within sentences that stands nowhere in the other. */
  List<String> codeMissingIn(Page other) {
    return code.stream().filter(span -> !other.text.contains(span)).toList();
  }
}
