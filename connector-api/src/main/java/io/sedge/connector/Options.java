package io.sedge.connector;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of one table, read through their declarations. Immutable.
 *
 * <p>{@link #problems} finds all that is wrong with them at once and is what {@code sedge check}
 * shows. The typed readers ({@link #integer}, {@link #duration} and so on) throw a {@link
 * ConnectorException} of kind USER with the same message for a value that is not what its option
 * takes; for an option that was not declared, or that is absent and has no default, they throw
 * {@link NoSuchElementException}: use {@link #find} for those.
 */
public final class Options {
  private final String table;
  private final List<Option> declared;
  private final Map<String, String> given;

  private Options(String table, List<Option> declared, Map<String, String> given) {
    this.table = table;
    this.declared = List.copyOf(declared);
    this.given = Map.copyOf(given);
  }

  /** The options of a table, of which {@code declared} are of interest; others may be there. */
  public static Options of(TableDescriptor table, List<Option> declared) {
    return new Options(table.name(), declared, table.options());
  }

  /** The options {@code given} for the table of that name, which is for messages. */
  public static Options of(String table, List<Option> declared, Map<String, String> given) {
    return new Options(table, declared, given);
  }

  /**
   * Everything that is wrong with the options given, in the order of their keys: keys that are not
   * declared, options that are missing, values of a wrong kind. Empty if all is well.
   *
   * @param table the table's name, for the messages
   */
  public static List<String> problems(
      String table, List<Option> declared, Map<String, String> given) {
    List<String> problems = new ArrayList<>();
    new TreeMap<>(given)
        .forEach(
            (key, value) -> {
              Option option = declaration(declared, key);
              if (option == null) {
                problems.add(unknown(table, declared, key));
              } else {
                OptionValues.problem(option, value)
                    .ifPresent(wrong -> problems.add(message(table, key, value, wrong)));
              }
            });
    for (Option option : declared) {
      if (option.required() && !given.containsKey(option.key())) {
        problems.add(
            "table %s: option '%s' is missing: %s"
                .formatted(table, option.key(), option.description()));
      }
    }
    return problems;
  }

  /** Whether the option is given; a default does not count. */
  public boolean has(String key) {
    return given.containsKey(key);
  }

  /** The value as it is written, or else the default, or else empty. */
  public Optional<String> find(String key) {
    String value = given.get(key);
    if (value != null) {
      return Optional.of(value);
    }
    Option option = declaration(declared, key);
    if (option == null) {
      throw new NoSuchElementException("table %s: '%s' is not declared".formatted(table, key));
    }
    return option.defaultValue();
  }

  public String string(String key) {
    return find(key)
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "table %s: '%s' is absent and has no default".formatted(table, key)));
  }

  /** The only character of the value. */
  public char character(String key) {
    String value = string(key);
    if (value.length() != 1) {
      throw wrong(key, "is not one character");
    }
    return value.charAt(0);
  }

  public long integer(String key) {
    return read(key, OptionValues::integer);
  }

  /** A whole number from {@code least} to {@code most}. */
  public long integer(String key, long least, long most) {
    long value = integer(key);
    if (value < least || value > most) {
      throw wrong(key, "is not between %d and %d".formatted(least, most));
    }
    return value;
  }

  public BigDecimal decimal(String key) {
    return read(key, OptionValues::decimal);
  }

  public boolean bool(String key) {
    return read(key, OptionValues::bool);
  }

  public Duration duration(String key) {
    return read(key, OptionValues::duration);
  }

  /** A size in bytes. */
  public long bytes(String key) {
    return read(key, OptionValues::bytes);
  }

  /** A size from {@code least} to {@code most} bytes. */
  public long bytes(String key, long least, long most) {
    long value = bytes(key);
    if (value < least || value > most) {
      throw wrong(key, "is not between %d and %d bytes".formatted(least, most));
    }
    return value;
  }

  /** One of the option's choices, spelt as it is declared. */
  public String choice(String key) {
    String value = string(key);
    Option option = declaration(declared, key);
    if (option != null) {
      for (String choice : option.choices()) {
        if (choice.equalsIgnoreCase(value)) {
          return choice;
        }
      }
      throw wrong(key, OptionValues.problem(option, value).orElse("is not allowed"));
    }
    return value;
  }

  /**
   * An exception that says what is wrong with an option's value: {@code table readings: 'qos' = '3'
   * is not one of 0, 1, 2}. A secret is not shown, nor, if the value looks like an address, its
   * login and its query.
   */
  public ConnectorException wrong(String key, String why) {
    return new ConnectorException(
        ConnectorException.Kind.USER, message(table, key, string(key), why));
  }

  /**
   * The same of an option that is an address. Its login is not shown, nor what follows a {@code ?}
   * or a {@code ;}, even if the value does not look like an address.
   */
  public ConnectorException wrongAddress(String key, String why) {
    return new ConnectorException(
        ConnectorException.Kind.USER, said(table, key, ValueText.ofAddress(string(key)), why));
  }

  private <T> T read(String key, OptionValues.Parser<T> parser) {
    String value = string(key);
    try {
      return parser.parse(value);
    } catch (IllegalArgumentException | ArithmeticException e) {
      Option option = declaration(declared, key);
      String why = option == null ? "is wrong" : OptionValues.expectation(option);
      throw new ConnectorException(
          ConnectorException.Kind.USER, message(table, key, value, why), e);
    }
  }

  private static String message(String table, String key, String value, String why) {
    return said(table, key, ValueText.of(value), why);
  }

  private static String said(String table, String key, String shown, String why) {
    return "table %s: '%s' = '%s' %s"
        .formatted(table, key, SecretKeys.isSecret(key) ? ValueText.secret(shown) : shown, why);
  }

  private static String unknown(String table, List<Option> declared, String key) {
    List<String> keys = declared.stream().map(Option::key).sorted().toList();
    String help =
        Suggestions.closest(key, keys)
            .map("did you mean '%s'?"::formatted)
            .orElse("known are " + String.join(", ", keys));
    return "table %s: option '%s' is unknown; %s".formatted(table, key, help);
  }

  private static @Nullable Option declaration(List<Option> declared, String key) {
    for (Option option : declared) {
      if (option.declares(key)) {
        return option;
      }
    }
    return null;
  }
}
