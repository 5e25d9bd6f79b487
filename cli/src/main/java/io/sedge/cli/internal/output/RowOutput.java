package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.task.JobCounters;
import java.util.List;
import java.util.function.Supplier;

/** Shows the rows of a job's bare SELECTs, and what the job says meanwhile. */
public interface RowOutput extends AutoCloseable {
  /**
   * A bare SELECT.
   *
   * @param index 0 for the first of the script
   * @param name as the job calls it
   * @param updating whether its rows replace and remove earlier ones
   * @param keys the columns that say what a row is about
   */
  record Query(int index, String name, Schema schema, boolean updating, List<Integer> keys) {
    public Query {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Takes rows, in the task's thread; false if there is no room: offer them again.
   *
   * @throws io.sedge.connector.ConnectorException if standard output cannot be written, but for a
   *     reader that has gone
   */
  boolean offer(Query query, Batch batch);

  /**
   * Whether all rows taken are written.
   *
   * @throws io.sedge.connector.ConnectorException as {@link #offer}
   */
  boolean isWritten();

  /** The size of the rows taken so far, as they are written or, in a live table, would be. */
  long bytes();

  /** Names what to run, in any thread, when there is room again after a refusal. */
  default void onRoom(Runnable wakeUp) {}

  /** The job runs: what it has done can be asked now. */
  default void started(Supplier<JobCounters> counters) {}

  /** Shows a message for people, above the rows where they are redrawn in place. Any thread. */
  void message(String line);

  /**
   * Writes what is left, for a second at most, and gives the terminal back as it was.
   *
   * @throws io.sedge.connector.ConnectorException as {@link #offer}
   */
  @Override
  void close();
}
