package io.sedge.connector.format;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.TableDescriptor;
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
    FormatFactory chosen = factories.get(tableOptions.getOrDefault(FORMAT, ""));
    if (chosen != null) {
      options.addAll(chosen.options());
    }
    return options;
  }

  /**
   * The format of a table.
   *
   * @throws ConnectorException of kind USER if it names none or one that does not exist
   */
  public FormatFactory of(TableDescriptor table) {
    String name = table.options().get(FORMAT);
    FormatFactory factory = name == null ? null : factories.get(name);
    if (factory == null) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          name == null
              ? "table %s: option 'format' is missing; it is one of %s"
                  .formatted(table.name(), String.join(", ", factories.keySet()))
              : "table %s: 'format' = '%s' is not one of %s"
                  .formatted(table.name(), name, String.join(", ", factories.keySet())));
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

  /**
   * A decoder of payloads into those columns of builders for the table's schema.
   *
   * @throws ConnectorException of kind USER if the format cannot read them
   */
  public RowDecoder decoder(TableDescriptor table, List<Integer> columns) {
    return named(table, () -> of(table).decoder(table.schema(), columns, table.options()));
  }

  /**
   * An encoder of those columns of batches of the table's schema.
   *
   * @throws ConnectorException of kind USER if the format cannot write them
   */
  public RowEncoder encoder(TableDescriptor table, List<Integer> columns) {
    return named(table, () -> of(table).encoder(table.schema(), columns, table.options()));
  }

  /** A format does not know its table's name; messages need it. */
  private static <T> T named(TableDescriptor table, Supplier<T> made) {
    try {
      return made.get();
    } catch (ConnectorException e) {
      String message = String.valueOf(e.getMessage());
      String ownPrefix = "table %s: ".formatted(table.options().get(FORMAT));
      String bare = message.startsWith(ownPrefix) ? message.substring(ownPrefix.length()) : message;
      String prefix = "table %s: ".formatted(table.name());
      throw bare.startsWith(prefix) ? e : new ConnectorException(e.kind(), prefix + bare, e);
    }
  }
}
