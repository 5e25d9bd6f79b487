package io.sedge.connector;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The declaration of one option of a connector or format; validation, documentation and the parsing
 * of its value all come from it.
 *
 * @param key as in {@code WITH ('key' = 'value')}; a key that ends in {@code .*} declares all keys
 *     with that prefix, and a {@code #} in it stands for any name: {@code fields.#.kind}
 * @param kind how the value is written
 * @param choices the values allowed, for {@link Kind#CHOICE}; else empty
 * @param defaultValue what holds where the option is absent, as one would write it
 * @param required whether it must be given
 * @param description one sentence for people
 * @param tuning whether it changes how a table is read or written and not which rows that are: a
 *     job that is replaced goes on with the table although it has another value
 */
public record Option(
    String key,
    Kind kind,
    List<String> choices,
    Optional<String> defaultValue,
    boolean required,
    String description,
    boolean tuning) {

  /** One that says which rows there are, or what they mean. */
  public Option(
      String key,
      Kind kind,
      List<String> choices,
      Optional<String> defaultValue,
      boolean required,
      String description) {
    this(key, kind, choices, defaultValue, required, description, false);
  }

  /** How an option's value is written. */
  public enum Kind {
    STRING,
    INTEGER,
    DECIMAL,
    BOOLEAN,
    /** As Flink writes them: {@code 500 ms}, {@code 5 s}, {@code 1 min}, {@code 7d}. */
    DURATION,
    /** As Flink writes them: {@code 64 kb}, {@code 16mb}; a bare number is bytes. */
    BYTES,
    CHOICE,
    /** The path of a file that goes with the job: whoever opens the table gets its content. */
    FILE
  }

  public Option {
    choices = List.copyOf(choices);
  }

  /** Whether this is the declaration of a key that stands in a script. */
  public boolean declares(String given) {
    if (key.endsWith(".*")) {
      return given.length() > key.length() - 1
          && given.startsWith(key.substring(0, key.length() - 1));
    }
    int name = key.indexOf('#');
    if (name < 0) {
      return key.equals(given);
    }
    return given.length() >= key.length()
        && given.startsWith(key.substring(0, name))
        && given.endsWith(key.substring(name + 1));
  }

  /** The same, {@link #tuning}. */
  public Option asTuning() {
    return new Option(key, kind, choices, defaultValue, required, description, true);
  }

  /** The same under a longer key: {@code key.json.ignore-parse-errors}. */
  public Option withPrefix(String prefix) {
    return new Option(prefix + key, kind, choices, defaultValue, required, description, tuning);
  }

  public static Option required(String key, Kind kind, String description) {
    return new Option(key, kind, List.of(), Optional.empty(), true, description);
  }

  public static Option optional(String key, Kind kind, String description) {
    return new Option(key, kind, List.of(), Optional.empty(), false, description);
  }

  public static Option withDefault(String key, Kind kind, String value, String description) {
    return new Option(key, kind, List.of(), Optional.of(value), false, description);
  }

  public static Option choice(String key, String value, List<String> choices, String description) {
    return new Option(key, Kind.CHOICE, choices, Optional.of(value), false, description);
  }

  public static Option durationWithDefault(String key, Duration value, String description) {
    return withDefault(key, Kind.DURATION, value.toMillis() + " ms", description);
  }
}
