package io.sedge.connector.sparkplug;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.sparkplug.internal.SparkplugOptions;
import io.sedge.connector.sparkplug.internal.SparkplugTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'sparkplug'}: metrics of Sparkplug B edge nodes and their devices as a
 * table.
 *
 * <p>A source gives a row for each value of a metric, or for each message. It is a host
 * application: it learns metrics and aliases from births, checks the sequence of each edge node,
 * and asks for a rebirth where it has missed something. What is promised: each message that was
 * taken from the broker is in the results once; what was missed is said with its times, since
 * Sparkplug sends data at QoS 0 and no broker keeps it.
 *
 * <p>It has no sink.
 */
public final class SparkplugConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "sparkplug";
  }

  @Override
  public List<Option> options() {
    return SparkplugOptions.DECLARED;
  }

  @Override
  public Map<String, Type> metadata() {
    return SparkplugTables.METADATA;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(SparkplugTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }
}
