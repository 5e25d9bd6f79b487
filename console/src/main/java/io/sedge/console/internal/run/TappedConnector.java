package io.sedge.console.internal.run;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A connector whose sinks are as its own; what they have taken, taps are given too. */
final class TappedConnector implements ConnectorFactory {
  private final ConnectorFactory connector;
  private final Map<String, Tap> taps;

  /**
   * @param taps by the name of their table
   */
  TappedConnector(ConnectorFactory connector, Map<String, Tap> taps) {
    this.connector = connector;
    this.taps = taps;
  }

  @Override
  public String name() {
    return connector.name();
  }

  @Override
  public List<Option> options() {
    return connector.options();
  }

  @Override
  public Map<String, Type> metadata() {
    return connector.metadata();
  }

  @Override
  public boolean usesFormats() {
    return connector.usesFormats();
  }

  @Override
  public List<Option> formatOptions(Map<String, String> given, Formats formats) {
    return connector.formatOptions(given, formats);
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return connector.source(table, context);
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    Optional<SinkFactory> factory = connector.sink(table, context);
    Tap tap = taps.get(table.name());
    return tap == null ? factory : factory.map(own -> new TappedSinkFactory(own, tap));
  }

  private record TappedSinkFactory(SinkFactory factory, Tap tap) implements SinkFactory {
    @Override
    public ChangelogMode changelogMode() {
      return factory.changelogMode();
    }

    @Override
    public Optional<String> updatesRemedy() {
      return factory.updatesRemedy();
    }

    @Override
    public boolean reachesSources() {
      return factory.reachesSources();
    }

    @Override
    public Guarantee guarantee() {
      return factory.guarantee();
    }

    @Override
    public Sink open(Delivery delivery) {
      return new TappedSink(factory.open(delivery), tap);
    }
  }

  private record TappedSink(Sink sink, Tap tap) implements Sink {
    @Override
    public boolean offer(NumberedBatch batch) {
      if (!sink.offer(batch)) {
        return false;
      }
      tap.taken(batch.batch());
      return true;
    }

    @Override
    public long flush() {
      return sink.flush();
    }

    @Override
    public boolean wakes() {
      return sink.wakes();
    }

    @Override
    public long bytes() {
      return sink.bytes();
    }

    @Override
    public void close() {
      sink.close();
    }
  }
}
