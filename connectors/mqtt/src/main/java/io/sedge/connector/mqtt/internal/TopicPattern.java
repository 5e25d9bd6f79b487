package io.sedge.connector.mqtt.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A topic whose levels are literal text, a column ({@code {zone}}), any one level ({@code +}) or,
 * at the end, any number of levels ({@code #}). Immutable.
 */
final class TopicPattern {
  /** One level of a topic. */
  sealed interface Level {
    /** This text. */
    record Literal(String text) implements Level {}

    /** Any text, which is a column's value. */
    record Column(String name) implements Level {}

    /** A column that is to have this value: what is left of a pattern in a shard. */
    record Fixed(String name, String value) implements Level {}

    /** Any text: {@code +}. */
    record Any() implements Level {}

    /** Any levels to the end, none included: {@code #}. */
    record Rest() implements Level {}
  }

  private final String text;
  private final List<Level> levels;

  private TopicPattern(String text, List<Level> levels) {
    this.text = text;
    this.levels = List.copyOf(levels);
  }

  /**
   * Parses one pattern.
   *
   * @throws IllegalArgumentException whose message is the end of a sentence that names the value
   */
  static TopicPattern parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("has an empty pattern");
    }
    String[] parts = text.split("/", -1);
    List<Level> levels = new ArrayList<>(parts.length);
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < parts.length; i++) {
      Level level = level(parts[i], text);
      if (level instanceof Level.Rest && i < parts.length - 1) {
        throw new IllegalArgumentException("has # before the end of '%s'".formatted(text));
      }
      if (level instanceof Level.Column column && !seen.add(column.name())) {
        throw new IllegalArgumentException("has {%s} twice in '%s'".formatted(column.name(), text));
      }
      levels.add(level);
    }
    return new TopicPattern(text, levels);
  }

  private static Level level(String part, String text) {
    if (part.equals("+")) {
      return new Level.Any();
    }
    if (part.equals("#")) {
      return new Level.Rest();
    }
    if (part.startsWith("{") && part.endsWith("}")) {
      String name = part.substring(1, part.length() - 1);
      if (name.isEmpty() || name.contains("{") || name.contains("}")) {
        throw new IllegalArgumentException(
            "has '%s' in '%s', which names no column".formatted(part, text));
      }
      return new Level.Column(name);
    }
    if (part.contains("{") || part.contains("}")) {
      throw new IllegalArgumentException(
          "has '%s' in '%s': a column must be a whole level, as in plant/{zone}"
              .formatted(part, text));
    }
    if (!isPlain(part) || part.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "has '%s' in '%s': a wildcard must be a whole level".formatted(part, text));
    }
    return new Level.Literal(part);
  }

  /** Whether a text may be a level of a topic: it has no + # / in it. */
  static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '+' || c == '#' || c == '/' || c == '\0') {
        return false;
      }
    }
    return true;
  }

  List<Level> levels() {
    return levels;
  }

  /** The columns, in the order of the levels. */
  List<String> columns() {
    List<String> names = new ArrayList<>();
    for (Level level : levels) {
      switch (level) {
        case Level.Column(String name) -> names.add(name);
        case Level.Fixed(String name, String _) -> names.add(name);
        case Level.Literal _, Level.Any _, Level.Rest _ -> {}
      }
    }
    return names;
  }

  /** The topics of this pattern in which a column has a value. */
  TopicPattern with(String column, String value) {
    List<Level> fixed = new ArrayList<>(levels);
    fixed.replaceAll(
        level ->
            level instanceof Level.Column(String name) && name.equals(column)
                ? new Level.Fixed(name, value)
                : level);
    return new TopicPattern(text, fixed);
  }

  boolean hasWildcards() {
    return levels.stream()
        .anyMatch(level -> level instanceof Level.Any || level instanceof Level.Rest);
  }

  /** The MQTT topic filter that gets every topic of this pattern. */
  String filter() {
    StringJoiner filter = new StringJoiner("/");
    for (Level level : levels) {
      filter.add(
          switch (level) {
            case Level.Literal literal -> literal.text();
            case Level.Fixed fixed -> fixed.value();
            case Level.Column _, Level.Any _ -> "+";
            case Level.Rest _ -> "#";
          });
    }
    return filter.toString();
  }

  /** The values of the columns in a topic, in their order, or null if the topic does not fit. */
  @Nullable List<String> match(String topic) {
    String[] parts = topic.split("/", -1);
    List<String> values = new ArrayList<>(levels.size());
    for (int i = 0; i < levels.size(); i++) {
      Level level = levels.get(i);
      if (level instanceof Level.Rest) {
        return values;
      }
      if (i == parts.length) {
        return null;
      }
      String part = parts[i];
      switch (level) {
        case Level.Literal(String wanted) when !wanted.equals(part) -> {
          return null;
        }
        case Level.Fixed(String _, String wanted) when !wanted.equals(part) -> {
          return null;
        }
        case Level.Column _, Level.Fixed _ -> values.add(part);
        case Level.Literal _, Level.Any _, Level.Rest _ -> {}
      }
    }
    return parts.length == levels.size() ? values : null;
  }

  /** Whether there is a topic that fits both, so that a broker may send its messages twice. */
  boolean overlaps(TopicPattern other) {
    return overlap(levels, 0, other.levels, 0);
  }

  private static boolean overlap(List<Level> left, int i, List<Level> right, int j) {
    while (true) {
      boolean leftRest = i < left.size() && left.get(i) instanceof Level.Rest;
      boolean rightRest = j < right.size() && right.get(j) instanceof Level.Rest;
      if (leftRest || rightRest) {
        return true;
      }
      if (i == left.size() || j == right.size()) {
        return i == left.size() && j == right.size();
      }
      if (left.get(i) instanceof Level.Literal one
          && right.get(j) instanceof Level.Literal two
          && !one.text().equals(two.text())) {
        return false;
      }
      i++;
      j++;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
