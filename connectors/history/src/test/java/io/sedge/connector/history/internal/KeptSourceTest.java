package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Keeper;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.history.HistoryConnector;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A source that is kept does what it does without: here a history, whose copy is kept. */
final class KeptSourceTest extends SourceConformance {
  private static final int ROWS = 9_000;

  @TempDir private Path directory;
  private TestContext context;
  private final List<List<Object>> expected = new ArrayList<>();

  @BeforeEach
  void keep() throws IOException {
    Simulation simulation = new Simulation(directory);
    context = simulation.context;
    try (Store store = simulation.open(Simulation.keep())) {
      Simulation.keepRows(store, 1, ROWS);
    }
    var rows = Simulation.rows(1, ROWS);
    for (int row = 0; row < ROWS; row++) {
      expected.add(rows.row(row));
    }
  }

  @Override
  protected ConnectorFactory connector() {
    return new KeepingConnector(new HistoryConnector());
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(Simulation.SCHEMA, Map.of("table", "readings", "job", "plant"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    return expected;
  }

  /** Keeps what another gives as that of a job named copy. */
  private record KeepingConnector(HistoryConnector connector) implements ConnectorFactory {
    @Override
    public String name() {
      return connector.name();
    }

    @Override
    public List<Option> options() {
      return connector.options();
    }

    @Override
    public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
      return connector.source(table, context).map(source -> new KeptSource(source, table, context));
    }

    @Override
    public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
      return connector.sink(table, context);
    }
  }

  /**
   * Does on the reader's thread what a connector does on another, so that nothing comes after its
   * end.
   */
  private record KeptSource(Source source, TableDescriptor table, ConnectorContext context)
      implements Source {
    @Override
    public boolean bounded() {
      return source.bounded();
    }

    @Override
    public SourceReader open() {
      return KeepingReader.open(
          source.open(),
          new Keeper.Kept("copy", table, "all", Simulation.keep()),
          context,
          new Worker(Runnable::run));
    }
  }
}
