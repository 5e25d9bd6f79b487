package io.sedge.connector.format;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The formats that a program has, by name; what a connector that uses formats gets its decoders and
 * encoders from. Immutable; any thread.
 */
public final class Formats {
  /** The option that chooses a format. */
  public static final String FORMAT = "format";

  private final Map<String, FormatFactory> factories;

  /**
   * @throws IllegalArgumentException if two formats have one name
   */
  public Formats(Collection<? extends FormatFactory> factories) {
    Map<String, FormatFactory> byName = new TreeMap<>();
    for (FormatFactory factory : factories) {
      FormatFactory other = byName.put(factory.name(), factory);
      if (other != null) {
        throw new IllegalArgumentException(
            "format '%s' is in the class path twice: %s and %s"
                .formatted(factory.name(), other.getClass(), factory.getClass()));
      }
    }
    this.factories = Collections.unmodifiableMap(byName);
  }

  /** Those that the class loader finds through {@link ServiceLoader}. */
  public static Formats installed(ClassLoader loader) {
    List<FormatFactory> found = new ArrayList<>();
    ServiceLoader.load(FormatFactory.class, loader).forEach(found::add);
    return new Formats(found);
  }

  /** All of them, in the order of their names. */
  public Map<String, FormatFactory> byName() {
    return factories;
  }

  /** The option {@code format} and the options of the format that the table has chosen. */
  public List<Option> options(Map<String, String> tableOptions) {
    List<Option> options = new ArrayList<>();
    options.add(
        new Option(
            FORMAT,
            Option.Kind.CHOICE,
            List.copyOf(factories.keySet()),
            Optional.empty(),
            true,
            "How payloads are written."));
    options.addAll(options(tableOptions, ""));
    return options;
  }

  /**
   * The options of the format that {@code key.format} has chosen, where the prefix is {@code key.};
   * they have the prefix too. Empty if it has chosen none that there is.
   */
  public List<Option> options(Map<String, String> tableOptions, String prefix) {
    FormatFactory chosen = factories.get(tableOptions.getOrDefault(prefix + FORMAT, ""));
    return chosen == null
        ? List.of()
        : chosen.options().stream().map(option -> option.withPrefix(prefix)).toList();
  }

  /**
   * The format of a table.
   *
   * @throws ConnectorException of kind USER if it names none or one that does not exist
   */
  public FormatFactory of(TableDescriptor table) {
    return of(table, "");
  }

  /** The format that the option of a table with this prefix has chosen, {@code key.format}. */
  public FormatFactory of(TableDescriptor table, String prefix) {
    String key = prefix + FORMAT;
    String name = table.options().get(key);
    FormatFactory factory = name == null ? null : factories.get(name);
    if (factory == null) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          name == null
              ? "table %s: option '%s' is missing; it is one of %s"
                  .formatted(table.name(), key, String.join(", ", factories.keySet()))
              : "table %s: '%s' = '%s' is not one of %s"
                  .formatted(table.name(), key, name, String.join(", ", factories.keySet())));
    }
    return factory;
  }

  /** The columns that come from the payload where a connector has no others: all but metadata. */
  public static List<Integer> payloadColumns(TableDescriptor table) {
    return IntStream.range(0, table.schema().size())
        .filter(column -> !table.metadata().containsKey(column))
        .boxed()
        .toList();
  }

  /** Whether payloads of those columns are text, so that each can stand on a line. */
  public boolean isText(TableDescriptor table, List<Integer> columns) {
    return named(table, "", () -> of(table).isText(table.schema(), columns, table.options()));
  }

  /**
   * A decoder of payloads into those columns of builders for the table's schema.
   *
   * @throws ConnectorException of kind USER if the format cannot read them
   */
  public RowDecoder decoder(TableDescriptor table, List<Integer> columns) {
    return decoder(table, "", table.schema(), columns);
  }

  /**
   * A decoder by the format that the option with this prefix has chosen.
   *
   * @param schema the table's, where the payload has other names for its columns
   */
  public RowDecoder decoder(
      TableDescriptor table, String prefix, Schema schema, List<Integer> columns) {
    return named(
        table,
        prefix,
        () -> of(table, prefix).decoder(schema, columns, scoped(table.options(), prefix)));
  }

  /**
   * An encoder of those columns of batches of the table's schema.
   *
   * @throws ConnectorException of kind USER if the format cannot write them
   */
  public RowEncoder encoder(TableDescriptor table, List<Integer> columns) {
    return encoder(table, "", table.schema(), columns);
  }

  /**
   * An encoder by the format that the option with this prefix has chosen.
   *
   * @param schema the table's, where the payload has other names for its columns
   */
  public RowEncoder encoder(
      TableDescriptor table, String prefix, Schema schema, List<Integer> columns) {
    return named(
        table,
        prefix,
        () -> of(table, prefix).encoder(schema, columns, scoped(table.options(), prefix)));
  }

  /** The options that have the prefix, without it: a format knows its own names. */
  private static Map<String, String> scoped(Map<String, String> options, String prefix) {
    Map<String, String> scoped = new TreeMap<>();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            scoped.put(key.substring(prefix.length()), value);
          }
        });
    return scoped;
  }

  /** A format does not know its table's name; messages need it. */
  private static <T> T named(TableDescriptor table, String prefix, Supplier<T> made) {
    try {
      return made.get();
    } catch (ConnectorException e) {
      String message = String.valueOf(e.getMessage());
      String ownPrefix = "table %s: ".formatted(table.options().get(prefix + FORMAT));
      String bare = message.startsWith(ownPrefix) ? message.substring(ownPrefix.length()) : message;
      String tablePrefix = "table %s: ".formatted(table.name());
      throw bare.startsWith(tablePrefix)
          ? e
          : new ConnectorException(e.kind(), tablePrefix + bare, e);
    }
  }
}
