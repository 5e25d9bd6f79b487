package io.sedge.flink;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.JobException;
import io.sedge.task.JobRunner;
import io.sedge.task.RunOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs scripts on Sedge as {@code sedge run} does, and collects the rows of their one SELECT. */
final class Sedge {
  private static final Map<String, String> AS_FLINK = Map.of(Job.ON_ROW_FAILURE, Job.FAIL);

  private final Path directory;
  private final Connectors installed = Connectors.installed(Sedge.class.getClassLoader());

  Sedge(Path directory) {
    this.directory = directory;
  }

  /**
   * @return the rows of the SELECT, each the change and then the values in the types of {@link
   *     Wire}
   */
  List<List<@Nullable Object>> run(String script)
      throws SqlException, JobException, InterruptedException {
    Collected collected = new Collected();
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    SqlCompiler compiler =
        new SqlCompiler(connectors, installed.formats().byName(), InstantSource.system());
    Job job = compiler.compile("oracle.sql", script, directory, AS_FLINK);
    connectors.put(Job.TERMINAL, collected);
    new JobRunner(connectors, InstantSource.system(), System::nanoTime)
        .start(job, RunOptions.in(directory), (severity, message) -> {})
        .await();
    return collected.rows;
  }

  /** The connector of a bare SELECT. */
  private static final class Collected implements ConnectorFactory {
    final List<List<@Nullable Object>> rows = new ArrayList<>();

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
      return Optional.of(
          new SinkFactory() {
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
              return new CollectedSink(table, rows);
            }
          });
    }
  }

  /** Keeps the rows as objects. */
  private static final class CollectedSink implements Sink {
    private final TableDescriptor table;
    private final List<List<@Nullable Object>> rows;
    private long taken;

    CollectedSink(TableDescriptor table, List<List<@Nullable Object>> rows) {
      this.table = table;
      this.rows = rows;
    }

    @Override
    public boolean offer(NumberedBatch numbered) {
      Batch batch = numbered.batch();
      for (int row = 0; row < batch.rows(); row++) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(batch.change(row).symbol());
        for (int column = 0; column < batch.columns().size(); column++) {
          values.add(PlainValues.of(batch.column(column).value(row), table.schema().type(column)));
        }
        rows.add(values);
      }
      taken = numbered.last();
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
