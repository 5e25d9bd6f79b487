package io.sedge.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Options of a command line, {@code --name=value}. Those that were asked for are known; {@link
 * #refuseOthers} names one that was not. What is wrong is an {@link IllegalArgumentException} with
 * a message for people.
 */
final class Options {
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Set<String> known = new TreeSet<>();

  /**
   * @param flags options that have no value
   */
  Options(String[] args, Set<String> flags) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (!flags.contains(arg) && !(arg.startsWith("--") && equals > 0)) {
        throw new IllegalArgumentException("%s is not an option; see --help".formatted(arg));
      }
      String name = equals < 0 ? arg : arg.substring(0, equals);
      if (values.put(name, arg.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("%s is given twice".formatted(name));
      }
    }
  }

  boolean has(String flag) {
    known.add(flag);
    return values.containsKey(flag);
  }

  /** Some of what is allowed, in its order; all unless given. */
  List<String> list(String name, List<String> allowed) {
    if (!has(name)) {
      return allowed;
    }
    String given = values.getOrDefault(name, "");
    List<String> wanted = Arrays.asList(given.split(",", -1));
    Set<String> unknown = new TreeSet<>(wanted);
    allowed.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "%s=%s: %s is none of %s"
              .formatted(name, given, String.join(", ", unknown), String.join(", ", allowed)));
    }
    return allowed.stream().filter(wanted::contains).toList();
  }

  /** One of what is allowed; the first unless given. */
  String choice(String name, List<String> allowed) {
    List<String> chosen = list(name, allowed);
    if (has(name) && chosen.size() > 1) {
      throw new IllegalArgumentException(
          "%s=%s is more than one of %s"
              .formatted(name, values.get(name), String.join(", ", allowed)));
    }
    return chosen.getFirst();
  }

  /** A number above 0. */
  int count(String name, int standard) {
    return number(name, standard, 1, Integer.MAX_VALUE);
  }

  /** A number within bounds, both included. */
  int number(String name, int standard, int least, int most) {
    if (!has(name)) {
      return standard;
    }
    String given = values.getOrDefault(name, "");
    try {
      int number = Integer.parseInt(given);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s=%s is not a number; %d to %d".formatted(name, given, least, most), e);
    }
    throw new IllegalArgumentException(
        "%s=%s is out of range; %d to %d".formatted(name, given, least, most));
  }

  /** To be called when all that is known was asked for. */
  void refuseOthers() {
    values.keySet().stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw new IllegalArgumentException("%s is not an option; see --help".formatted(name));
            });
  }
}
