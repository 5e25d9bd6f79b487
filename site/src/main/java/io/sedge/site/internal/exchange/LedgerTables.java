package io.sedge.site.internal.exchange;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A connector of tables that are in the ledger. A sink takes all that comes: its rows become part
 * of the task's next commit, and nothing else is done with them. What a source reads is said by
 * whoever makes this.
 */
final class LedgerTables implements ConnectorFactory {
  private final String name;
  private final Function<TableDescriptor, SourceReader> readers;

  /**
   * @param readers opens a table's reader
   */
  LedgerTables(String name, Function<TableDescriptor, SourceReader> readers) {
    this.name = name;
    this.readers = readers;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new Source() {
          @Override
          public boolean bounded() {
            return false;
          }

          @Override
          public SourceReader open() {
            return readers.apply(table);
          }
        });
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(CommitSinkFactory.INSTANCE);
  }

  private enum CommitSinkFactory implements SinkFactory {
    INSTANCE;

    @Override
    public boolean acceptsUpdates() {
      return true;
    }

    @Override
    public Sink open() {
      return new CommitSink();
    }
  }

  private static final class CommitSink implements Sink {
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
