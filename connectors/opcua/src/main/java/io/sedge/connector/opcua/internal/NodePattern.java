package io.sedge.connector.opcua.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExpandedNodeId;

/**
 * One entry of {@code 'nodes'}: a node id ({@code ns=2;s=Line1.Temp}), or a pattern of ids ({@code
 * ns=2;s={machine}.*}), or a browse path ({@code /Objects/Line1/{machine}/Temp}). In a pattern
 * {@code *} is any text and {@code {name}} is text without a separator, which is a column's value.
 * Immutable.
 *
 * @param text as it is written
 * @param namespace {@code ns=2}, {@code nsu=urn:plant}; empty for a browse path and for namespace 0
 * @param isPath whether it is a browse path
 * @param columns the names of the columns, in order
 * @param matcher of the identifier with its kind ({@code s=Line1.Temp}), or of a browse path
 * @param isExact whether one node at most fits, whose id is the text
 */
record NodePattern(
    String text,
    String namespace,
    boolean isPath,
    List<String> columns,
    Pattern matcher,
    boolean isExact) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)\\}|\\*");
  private static final Pattern NAMESPACE = Pattern.compile("ns=\\d{1,5}|nsu=.+");
  private static final Pattern IDENTIFIER = Pattern.compile("[isgb]=.*", Pattern.DOTALL);

  NodePattern {
    columns = List.copyOf(columns);
  }

  /**
   * Parses a list of entries that are separated by ';'.
   *
   * @throws IllegalArgumentException whose message is the end of a sentence that names the value
   */
  static List<NodePattern> parseAll(String list) {
    List<String> entries = new ArrayList<>();
    boolean open = false;
    for (String part : list.split(";", -1)) {
      String stripped = part.strip();
      boolean begins = stripped.startsWith("/") || NAMESPACE.matcher(stripped).matches();
      if (open || (!entries.isEmpty() && !begins && !IDENTIFIER.matcher(stripped).matches())) {
        entries.add(entries.removeLast() + ";" + (open ? stripped : part));
        open = false;
      } else {
        entries.add(stripped);
        open = NAMESPACE.matcher(stripped).matches();
      }
    }
    List<NodePattern> patterns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String entry : entries) {
      if (!seen.add(entry)) {
        throw new IllegalArgumentException("has '%s' twice".formatted(entry));
      }
      patterns.add(parse(entry));
    }
    return patterns;
  }

  private static NodePattern parse(String text) {
    if (text.startsWith("/")) {
      List<String> columns = new ArrayList<>();
      return new NodePattern(text, "", true, columns, path(text, columns), false);
    }
    int separator = text.startsWith("ns") ? text.indexOf(';') : -1;
    String namespace = text.substring(0, Math.max(0, separator));
    String identifier = text.substring(separator + 1);
    if (!IDENTIFIER.matcher(identifier).matches()) {
      throw new IllegalArgumentException(
          ("has '%s', which is no node id; write ns=2;s=Line1.Temp, i=2258, a pattern such as"
                  + " ns=2;s={machine}.*, or a browse path such as /Objects/Line1/Temp")
              .formatted(text));
    }
    List<String> columns = new ArrayList<>();
    Pattern matcher = pattern(identifier, "./", columns, text);
    boolean exact = columns.isEmpty() && identifier.indexOf('*') < 0;
    if (exact) {
      try {
        var _ = ExpandedNodeId.parse(text);
      } catch (RuntimeException e) {
        throw new IllegalArgumentException(
            "has '%s', which is no node id: numbers are i=2258, GUIDs g=…, bytes in base 64 b=…"
                .formatted(text),
            e);
      }
    } else if (!identifier.startsWith("s=")) {
      throw new IllegalArgumentException(
          "has '%s': only identifiers that are text (s=…) can be a pattern".formatted(text));
    }
    return new NodePattern(text, namespace, false, columns, matcher, exact);
  }

  /**
   * Each segment of a path is a browse name, with {@code 2:} before it where the namespace counts.
   */
  private static Pattern path(String text, List<String> columns) {
    StringBuilder whole = new StringBuilder();
    for (String segment : text.substring(1).split("/", -1)) {
      if (segment.isEmpty()) {
        throw new IllegalArgumentException("has '%s', with an empty name".formatted(text));
      }
      boolean qualified = segment.matches("\\d{1,5}:.*");
      whole
          .append('/')
          .append(qualified ? "" : "\\d+:")
          .append(pattern(segment, "/", columns, text).pattern());
    }
    return Pattern.compile(whole.toString());
  }

  private static Pattern pattern(
      String text, String separators, List<String> columns, String entry) {
    StringBuilder regex = new StringBuilder();
    Matcher matcher = PLACEHOLDER.matcher(text);
    int at = 0;
    while (matcher.find()) {
      regex.append(literal(text.substring(at, matcher.start()), entry));
      String name = matcher.group(1);
      if (name == null) {
        regex.append(separators.equals("/") ? "[^/]*" : ".*");
      } else if (name.isEmpty() || columns.contains(name)) {
        throw new IllegalArgumentException(
            "has {%s} %s in '%s'"
                .formatted(name, name.isEmpty() ? "without a name" : "twice", entry));
      } else {
        columns.add(name);
        regex.append("([^").append(separators).append("]+)");
      }
      at = matcher.end();
    }
    regex.append(literal(text.substring(at), entry));
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String literal(String text, String entry) {
    if (text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
      throw new IllegalArgumentException("has a { or } without the other in '%s'".formatted(entry));
    }
    return text.isEmpty() ? "" : Pattern.quote(text);
  }

  /** The values of the columns if an identifier or browse path fits. */
  Optional<Map<String, String>> match(String candidate) {
    Matcher fit = matcher.matcher(candidate);
    if (!fit.matches()) {
      return Optional.empty();
    }
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < columns.size(); i++) {
      values.put(columns.get(i), fit.group(i + 1));
    }
    return Optional.of(values);
  }

  /**
   * The entry with the columns' values put in.
   *
   * @throws IllegalArgumentException if that is no node id
   */
  String fill(Map<String, String> values) {
    String filled = text;
    for (String column : columns) {
      filled = filled.replace("{" + column + "}", values.getOrDefault(column, ""));
    }
    return filled;
  }

  @Override
  public String toString() {
    return text;
  }
}
