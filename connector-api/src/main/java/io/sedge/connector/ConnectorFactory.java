package io.sedge.connector;

import io.sedge.connector.format.Formats;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The entrance to a connector; one class each, named in {@code META-INF/services}. A program makes
 * one instance of it and calls it from any thread. It keeps nothing of a table, but may know which
 * of its readers and sinks are open, where those of one process have to find each other (the host's
 * sinks set the sampling rates of the host's readers).
 *
 * <p>The options of a table have been checked against {@link #options()} before {@link #source} or
 * {@link #sink} is called; what more can be said against them is thrown as a {@link
 * ConnectorException} of kind USER whose message names table and option.
 */
public interface ConnectorFactory {
  /** The value of {@code 'connector'} that chooses it. */
  String name();

  /** The options it takes, those of its formats excepted. */
  List<Option> options();

  /** The metadata columns it can give or take, by key. */
  default Map<String, Type> metadata() {
    return Map.of();
  }

  /** Whether it takes {@code 'format' = …} and that format's options. */
  default boolean usesFormats() {
    return false;
  }

  /**
   * The options of the formats that a table has chosen, and the option that chooses one.
   *
   * @param given the table's options
   * @param formats those that there are
   */
  default List<Option> formatOptions(Map<String, String> given, Formats formats) {
    return usesFormats() ? formats.options(given) : List.of();
  }

  /** A source for the table, or empty if the connector has none. Nothing is opened yet. */
  Optional<Source> source(TableDescriptor table, ConnectorContext context);

  /** A sink for the table, or empty if the connector has none. Nothing is opened yet. */
  Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context);

  /** What shows people what there is before they have a table; empty if the connector cannot. */
  default Optional<Explorer> explorer() {
    return Optional.empty();
  }
}
