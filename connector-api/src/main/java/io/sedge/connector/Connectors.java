package io.sedge.connector;

import io.sedge.connector.format.Formats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The connectors that a program has, by name. Immutable; any thread. */
public final class Connectors {
  private final Map<String, ConnectorFactory> factories;
  private final Formats formats;

  /**
   * @throws IllegalArgumentException if two connectors have one name
   */
  public Connectors(Collection<? extends ConnectorFactory> factories, Formats formats) {
    Map<String, ConnectorFactory> byName = new TreeMap<>();
    for (ConnectorFactory factory : factories) {
      ConnectorFactory other = byName.put(factory.name(), factory);
      if (other != null) {
        throw new IllegalArgumentException(
            "connector '%s' is in the class path twice: %s and %s"
                .formatted(factory.name(), other.getClass(), factory.getClass()));
      }
    }
    this.factories = Collections.unmodifiableMap(byName);
    this.formats = formats;
  }

  /** Those that the class loader finds through {@link ServiceLoader}. */
  public static Connectors installed(ClassLoader loader) {
    List<ConnectorFactory> found = new ArrayList<>();
    ServiceLoader.load(ConnectorFactory.class, loader).forEach(found::add);
    return new Connectors(found, Formats.installed(loader));
  }

  /** All of them, in the order of their names. */
  public Map<String, ConnectorFactory> byName() {
    return factories;
  }

  public Formats formats() {
    return formats;
  }

  /**
   * The connector of a table.
   *
   * @param table the table's name, for the message
   * @param name the value of its option {@code connector}
   * @throws ConnectorException of kind USER if there is none of that name
   */
  public ConnectorFactory named(String table, String name) {
    ConnectorFactory factory = factories.get(name);
    if (factory == null) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: 'connector' = '%s' is not one of %s%s"
              .formatted(
                  table,
                  name,
                  String.join(", ", factories.keySet()),
                  Suggestions.closest(name, factories.keySet())
                      .map("; did you mean '%s'?"::formatted)
                      .orElse("")));
    }
    return factory;
  }

  /** All options that a table takes: its connector's and, where it has one, its format's. */
  public List<Option> options(ConnectorFactory connector, TableDescriptor table) {
    List<Option> options = new ArrayList<>(connector.options());
    options.addAll(connector.formatOptions(table.options(), formats));
    return options;
  }

  /**
   * Everything that is wrong with a table's options and metadata columns, for people; empty if all
   * is well.
   */
  public List<String> problems(ConnectorFactory connector, TableDescriptor table) {
    List<String> problems =
        new ArrayList<>(Options.problems(table.name(), options(connector, table), table.options()));
    table
        .metadata()
        .forEach(
            (column, key) -> {
              if (!connector.metadata().containsKey(key)) {
                problems.add(unknownMetadata(connector, table, column, key));
              }
            });
    return problems;
  }

  private static String unknownMetadata(
      ConnectorFactory connector, TableDescriptor table, int column, String key) {
    List<String> known = connector.metadata().keySet().stream().sorted().toList();
    return "table %s: column `%s` is METADATA FROM '%s', but connector '%s' has %s"
        .formatted(
            table.name(),
            table.schema().name(column),
            key,
            connector.name(),
            known.isEmpty() ? "no metadata" : "only " + String.join(", ", known));
  }
}
