package io.sedge.cli.internal.output;

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
import io.sedge.sql.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sinks of a job's bare SELECTs: they show their rows on an output. */
public final class TerminalConnector implements ConnectorFactory {
  private final RowOutput output;
  private final Map<String, RowOutput.Query> queries;

  /**
   * @param queries the job's bare SELECTs, by the name of their sink
   */
  public TerminalConnector(RowOutput output, Map<String, RowOutput.Query> queries) {
    this.output = output;
    this.queries = Map.copyOf(queries);
  }

  @Override
  public String name() {
    return Job.TERMINAL;
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
    RowOutput.Query query = queries.get(table.name());
    if (query == null) {
      throw new IllegalArgumentException("no bare SELECT is called " + table.name());
    }
    output.onRoom(context::wakeUp);
    return Optional.of(new QuerySinkFactory(output, query));
  }

  private record QuerySinkFactory(RowOutput output, RowOutput.Query query) implements SinkFactory {
    @Override
    public ChangelogMode changelogMode() {
      return ChangelogMode.ALL;
    }

    @Override
    public Guarantee guarantee() {
      return Guarantee.AT_LEAST_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return new QuerySink(output, query, delivery.recoveryPoint());
    }
  }

  /**
   * Closing it leaves the output open, which is shared by all queries and closed by the command.
   */
  private static final class QuerySink implements Sink {
    private final RowOutput output;
    private final RowOutput.Query query;
    private long taken;
    private long written;

    QuerySink(RowOutput output, RowOutput.Query query, long recoveryPoint) {
      this.output = output;
      this.query = query;
      this.taken = recoveryPoint;
      this.written = recoveryPoint;
    }

    @Override
    public boolean offer(NumberedBatch batch) {
      if (!output.offer(query, batch.batch())) {
        return false;
      }
      taken = batch.last();
      return true;
    }

    @Override
    public long flush() {
      written = output.isWritten() ? taken : written;
      return written;
    }

    /** The output counts the bytes of all queries; the first query tells them. */
    @Override
    public long bytes() {
      return query.index() == 0 ? output.bytes() : 0;
    }

    @Override
    public void close() {}
  }
}
