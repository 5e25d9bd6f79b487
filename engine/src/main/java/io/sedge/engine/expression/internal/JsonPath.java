package io.sedge.engine.expression.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A path into JSON: {@code $}, {@code .name}, {@code ['name']}, {@code [index]} (from the end if
 * negative), {@code [*]}, {@code .*}, {@code [from:to]} and {@code ..name}, with {@code lax} or
 * {@code strict} before it. The {@code $} may be left out.
 */
final class JsonPath {
  /** A step from the values found so far to the next. */
  private sealed interface Step {
    void follow(@Nullable Object value, List<@Nullable Object> found);
  }

  private record Member(String name) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof Map<?, ?> map && map.containsKey(name)) {
        found.add(map.get(name));
      }
    }
  }

  private record Index(int index) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        int from = index < 0 ? list.size() + index : index;
        if (from >= 0 && from < list.size()) {
          found.add(list.get(from));
        }
      }
    }
  }

  private record Slice(int from, int to) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      if (value instanceof List<?> list) {
        int begin = Math.max(0, from < 0 ? list.size() + from : from);
        int end = Math.min(list.size(), to < 0 ? list.size() + to : to);
        for (int i = begin; i < end; i++) {
          found.add(list.get(i));
        }
      }
    }
  }

  private record All() implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      found.addAll(children(value));
    }
  }

  private record Descendant(String name) implements Step {
    @Override
    public void follow(@Nullable Object value, List<@Nullable Object> found) {
      new Member(name).follow(value, found);
      for (Object child : children(value)) {
        follow(child, found);
      }
    }
  }

  private final List<Step> steps = new ArrayList<>();
  private final boolean lax;
  private final String text;
  private boolean definite = true;
  private int at;

  /** The path that a text says; null if it says none, which finds nothing, as in Flink. */
  static @Nullable JsonPath parse(String path) {
    try {
      return new JsonPath(path);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }

  private JsonPath(String whole) {
    String trimmed = whole.strip();
    lax = trimmed.startsWith("lax ");
    String path =
        (lax || trimmed.startsWith("strict ") ? trimmed.substring(trimmed.indexOf(' ')) : trimmed)
            .strip();
    text = path.startsWith("$") ? path : "$." + path;
    at = 1;
    while (at < text.length()) {
      steps.add(step());
    }
  }

  /** Whether what is missing is no error. */
  boolean isLax() {
    return lax;
  }

  /** Whether it leads to one value at most. */
  boolean isDefinite() {
    return definite;
  }

  /** The values that it leads to. */
  List<@Nullable Object> find(@Nullable Object root) {
    List<@Nullable Object> current = new ArrayList<>();
    current.add(root);
    for (Step step : steps) {
      List<@Nullable Object> next = new ArrayList<>();
      for (Object value : current) {
        step.follow(value, next);
      }
      current = next;
    }
    return current;
  }

  private static Collection<?> children(@Nullable Object value) {
    return switch (value) {
      case List<?> list -> list;
      case Map<?, ?> map -> map.values();
      case null, default -> List.of();
    };
  }

  private Step step() {
    if (text.startsWith("..", at)) {
      at += 2;
      definite = false;
      return new Descendant(name());
    }
    if (text.charAt(at) == '.') {
      at++;
      if (text.startsWith("*", at)) {
        at++;
        definite = false;
        return new All();
      }
      return new Member(name());
    }
    if (text.charAt(at) == '[') {
      int end = text.indexOf(']', at);
      if (end < 0) {
        throw malformed("a '[' has no ']'");
      }
      String inner = text.substring(at + 1, end).strip();
      at = end + 1;
      return bracket(inner);
    }
    throw malformed("'.' or '[' should be at " + at);
  }

  private Step bracket(String inner) {
    if (inner.equals("*")) {
      definite = false;
      return new All();
    }
    boolean quoted =
        inner.length() >= 2
            && (inner.startsWith("'") || inner.startsWith("\""))
            && inner.charAt(0) == inner.charAt(inner.length() - 1);
    if (quoted) {
      return new Member(inner.substring(1, inner.length() - 1));
    }
    int colon = inner.indexOf(':');
    if (colon < 0) {
      return new Index(number(inner));
    }
    definite = false;
    String from = inner.substring(0, colon).strip();
    String to = inner.substring(colon + 1).strip();
    return new Slice(
        from.isEmpty() ? 0 : number(from), to.isEmpty() ? Integer.MAX_VALUE : number(to));
  }

  private int number(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException notOne) {
      throw malformed("'%s' is no index".formatted(digits));
    }
  }

  private String name() {
    int begin = at;
    while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
      at++;
    }
    if (at == begin) {
      throw malformed("a name should be at " + at);
    }
    return text.substring(begin, at);
  }

  private IllegalArgumentException malformed(String reason) {
    return new IllegalArgumentException(
        "'%s' is not a JSON path such as '$.a.b[0]': %s".formatted(text, reason));
  }
}
