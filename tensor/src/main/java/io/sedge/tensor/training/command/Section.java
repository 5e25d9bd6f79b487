package io.sedge.tensor.training.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of a YAML file, read key by key. Problems are collected, each with its line, so that
 * all are told at once; what is wrong is read as its default. At the end {@link #finish} tells keys
 * that nobody asked for.
 */
final class Section {
  private final String file;
  private final String path;
  private final List<String> problems;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final List<String> known = new ArrayList<>();

  Section(String file, String path, @Nullable Node node, List<String> problems) {
    this.file = file;
    this.path = path;
    this.problems = problems;
    if (node instanceof MappingNode mapping) {
      for (NodeTuple entry : mapping.getValue()) {
        String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        if (values.put(key, entry.getValueNode()) != null) {
          problem(entry.getKeyNode(), name(key) + " is there twice");
        }
        keys.put(key, entry.getKeyNode());
      }
    } else if (node != null) {
      problem(node, path + " is not a list of keys and values");
    }
  }

  private String name(String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  private void problem(@Nullable Node at, String text) {
    String line =
        at == null ? "" : at.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
    problems.add(text + " (" + file + line + ")");
  }

  private @Nullable Node take(String key) {
    known.add(key);
    return values.get(key);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  Section section(String key) {
    return new Section(file, name(key), take(key), problems);
  }

  /** The mappings of a list, or the words in it as mappings of the word alone. */
  List<Section> sections(String key) {
    Node node = take(key);
    List<Section> sections = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node each : sequence.getValue()) {
        String where = name(key) + "[" + sections.size() + "]";
        sections.add(
            each instanceof ScalarNode word
                ? word(where, word)
                : new Section(file, where, each, problems));
      }
    } else if (node != null) {
      problem(node, name(key) + " is not a list");
    }
    return sections;
  }

  private Section word(String where, ScalarNode word) {
    Section section = new Section(file, where, null, problems);
    section.values.put(word.getValue(), word);
    section.keys.put(word.getValue(), word);
    return section;
  }

  List<String> texts(String key) {
    Node node = take(key);
    List<String> texts = new ArrayList<>();
    if (node instanceof SequenceNode sequence) {
      for (Node each : sequence.getValue()) {
        if (each instanceof ScalarNode scalar) {
          texts.add(scalar.getValue());
        } else {
          problem(each, name(key) + " is not a list of words");
        }
      }
    } else if (node instanceof ScalarNode scalar) {
      texts.add(scalar.getValue());
    } else if (node != null) {
      problem(node, name(key) + " is not a list of words");
    }
    return texts;
  }

  Optional<String> text(String key) {
    Node node = take(key);
    if (node instanceof ScalarNode scalar) {
      return Optional.of(scalar.getValue());
    }
    if (node != null) {
      problem(node, name(key) + " is not a word");
    }
    return Optional.empty();
  }

  /** One of several words; the first if the key is not there. */
  String choice(String key, List<String> allowed) {
    Optional<String> text = text(key);
    if (text.isPresent() && !allowed.contains(text.get())) {
      problem(
          values.get(key),
          "%s: %s is not one of %s".formatted(name(key), text.get(), String.join(", ", allowed)));
      return allowed.getFirst();
    }
    return text.orElse(allowed.getFirst());
  }

  long integer(String key, long otherwise, long least, long most) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    problem(
        values.get(key),
        "%s: %s is not a whole number from %d to %d".formatted(name(key), text.get(), least, most));
    return otherwise;
  }

  /** A number from above {@code least} (which may be allowed itself) to below {@code most}. */
  double number(String key, double otherwise, double least, boolean leastAllowed, double most) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      double value = Double.parseDouble(text.get());
      if ((value > least || (leastAllowed && value == least)) && value < most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    problem(
        values.get(key),
        "%s: %s is not a number %s %s and below %s"
            .formatted(name(key), text.get(), leastAllowed ? "from" : "above", least, most));
    return otherwise;
  }

  boolean yes(String key, boolean otherwise) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return otherwise;
    }
    return choiceOf(key, text.get());
  }

  private boolean choiceOf(String key, String text) {
    if (!text.equals("true") && !text.equals("false")) {
      problem(values.get(key), "%s: %s is not true or false".formatted(name(key), text));
    }
    return text.equals("true");
  }

  /** Tells that something is missing. */
  void missing(String key, String why) {
    problems.add(name(key) + " is missing: " + why + " (" + file + ")");
  }

  /** Tells what is wrong with a key. */
  void wrong(String key, String why) {
    problem(keys.get(key), name(key) + ": " + why);
  }

  /** The keys that are there. */
  List<String> keys() {
    return List.copyOf(values.keySet());
  }

  /** Tells keys that nobody asked for. */
  void finish() {
    for (Map.Entry<String, Node> key : keys.entrySet()) {
      if (!known.contains(key.getKey())) {
        problem(
            key.getValue(),
            "%s is not known%s; known are %s"
                .formatted(name(key.getKey()), suggestion(key.getKey()), String.join(", ", known)));
      }
    }
  }

  private String suggestion(String key) {
    return known.stream()
        .filter(other -> distance(key, other) <= 2)
        .min(java.util.Comparator.comparingInt(other -> distance(key, other)))
        .map(other -> " (did you mean " + other + "?)")
        .orElse("");
  }

  /** Levenshtein's. */
  private static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[right.length()];
  }
}
