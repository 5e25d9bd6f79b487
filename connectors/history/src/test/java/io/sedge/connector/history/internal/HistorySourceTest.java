package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.history.HistoryConnector;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What two shards have kept, one in a segment and a journal, the other in a journal alone. */
final class HistorySourceTest extends SourceConformance {
  private static final int IN_A_SEGMENT = 5_000;
  private static final int IN_A_JOURNAL = 4_000;

  @TempDir private Path directory;
  private TestContext context;
  private final List<List<Object>> expected = new ArrayList<>();

  @BeforeEach
  void keep() throws IOException {
    Simulation simulation = new Simulation(directory);
    context = simulation.context;
    for (String shard : List.of("all", "north")) {
      Path store = simulation.directory(shard);
      Store.Setting setting =
          new Store.Setting(store, "readings", Simulation.keep(), Simulation.SHAPE);
      try (Store opened = simulation.open(setting, StoreLock.tryTake(store), null)) {
        if (shard.equals("all")) {
          keep(opened, 1, IN_A_SEGMENT);
          simulation.pass(opened, Duration.ofHours(8));
          keep(opened, 1 + IN_A_SEGMENT, IN_A_JOURNAL);
        } else {
          keep(opened, 1 + IN_A_SEGMENT + IN_A_JOURNAL, IN_A_JOURNAL);
        }
      }
    }
  }

  private void keep(Store store, long firstId, int rows) {
    Batch batch = Simulation.rows(firstId, rows);
    store.append(batch);
    store.committed(store.mark());
    for (int row = 0; row < rows; row++) {
      expected.add(batch.row(row));
    }
  }

  @Override
  protected ConnectorFactory connector() {
    return new HistoryConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(Simulation.SCHEMA, Map.of("table", "readings"));
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(table());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected List<List<Object>> expected() {
    return expected;
  }
}
