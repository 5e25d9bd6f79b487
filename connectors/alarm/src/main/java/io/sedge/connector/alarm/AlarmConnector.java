package io.sedge.connector.alarm;

import io.sedge.alarm.AlarmStore;
import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.RaisesAlarms;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.alarm.internal.AlarmOptions;
import io.sedge.connector.alarm.internal.AlarmSinkFactory;
import java.util.List;
import java.util.Optional;

/** The connector {@code alarm}: each primary key of a table is an alarm. */
public final class AlarmConnector implements RaisesAlarms {
  private final AlarmStore store;

  public AlarmConnector() {
    this(new MemoryAlarms().of("run"));
  }

  private AlarmConnector(AlarmStore store) {
    this.store = store;
  }

  @Override
  public ConnectorFactory keptIn(AlarmStore other) {
    return new AlarmConnector(other);
  }

  @Override
  public String name() {
    return "alarm";
  }

  @Override
  public List<Option> options() {
    return AlarmOptions.ALL;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(new AlarmSinkFactory(AlarmOptions.read(table, context), store, context));
  }
}
