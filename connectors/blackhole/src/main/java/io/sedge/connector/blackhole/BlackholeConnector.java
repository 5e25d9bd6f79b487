package io.sedge.connector.blackhole;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import java.util.List;
import java.util.Optional;

/** The connector {@code blackhole}: takes all rows, updates too, and keeps none. */
public final class BlackholeConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "blackhole";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(new Hole());
  }

  private static final class Hole implements SinkFactory {
    @Override
    public boolean acceptsUpdates() {
      return true;
    }

    @Override
    public Sink open() {
      return new Bottom();
    }
  }

  private static final class Bottom implements Sink {
    @Override
    public boolean offer(Batch batch) {
      return true;
    }

    @Override
    public boolean flush() {
      return true;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
