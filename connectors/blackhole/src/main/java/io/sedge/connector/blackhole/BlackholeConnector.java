package io.sedge.connector.blackhole;

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
    public ChangelogMode changelogMode() {
      return ChangelogMode.ALL;
    }

    /** What is kept nowhere is nowhere twice. */
    @Override
    public Guarantee guarantee() {
      return Guarantee.EXACTLY_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return new Bottom(delivery.recoveryPoint());
    }
  }

  private static final class Bottom implements Sink {
    private long taken;

    Bottom(long recoveryPoint) {
      this.taken = recoveryPoint;
    }

    @Override
    public boolean offer(NumberedBatch batch) {
      taken = batch.last();
      return true;
    }

    @Override
    public long flush() {
      return taken;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
