package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.output.Cells;
import io.sedge.cli.internal.output.RowOutput;
import io.sedge.cli.internal.output.RowOutputs;
import io.sedge.cli.internal.output.TerminalConnector;
import io.sedge.connector.ConnectorFactory;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.task.JobRunner;
import io.sedge.task.LocalJob;
import io.sedge.task.RunOptions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Runs a job of one bare SELECT for a moment, and hands out its rows. Any thread. */
public final class Sampling {
  private final Map<String, ConnectorFactory> connectors;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /** Takes a row, in the task's thread: its values as people read them. */
  @FunctionalInterface
  public interface Rows {
    /** Whether more are wanted. */
    boolean take(List<String> cells);
  }

  /**
   * @param connectors by the value of the option {@code connector}
   * @param nanoClock monotonic
   */
  public Sampling(
      Map<String, ConnectorFactory> connectors, InstantSource clock, LongSupplier nanoClock) {
    this.connectors = Map.copyOf(connectors);
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /**
   * Reads until the time of the options is over, the input ends, or no more rows are wanted.
   *
   * @param onStart is given what ends it early
   * @return what was read
   * @throws JobException if the table cannot be opened, or fails
   */
  public JobCounters run(
      Job job, RunOptions options, Rows rows, JobListener listener, Consumer<Runnable> onStart)
      throws JobException, InterruptedException {
    AtomicBoolean wanted = new AtomicBoolean(true);
    Map<String, ConnectorFactory> all = new HashMap<>(connectors);
    Output output = new Output(rows, wanted);
    all.put(Job.TERMINAL, new TerminalConnector(output, RowOutputs.queries(job)));
    LocalJob started = new JobRunner(all, clock, nanoClock).start(job, options, listener);
    output.onEnough = started::stop;
    if (!wanted.get()) {
      started.stop();
    }
    onStart.accept(started::stop);
    return started.await();
  }

  private static final class Output implements RowOutput {
    private final Rows rows;
    private final AtomicBoolean wanted;
    private final Cells cells = new Cells(ZoneOffset.UTC);
    private volatile Runnable onEnough = () -> {};

    Output(Rows rows, AtomicBoolean wanted) {
      this.rows = rows;
      this.wanted = wanted;
    }

    @Override
    public boolean offer(Query query, Batch batch) {
      Schema schema = query.schema();
      for (int row = 0; row < batch.rows() && wanted.get(); row++) {
        List<String> texts = new ArrayList<>();
        for (int column = 0; column < schema.size(); column++) {
          texts.add(cells.text(schema.type(column), batch.column(column).value(row)));
        }
        if (!rows.take(texts)) {
          wanted.set(false);
          onEnough.run();
        }
      }
      return true;
    }

    @Override
    public boolean isWritten() {
      return true;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void message(String line) {}

    @Override
    public void close() {}
  }
}
