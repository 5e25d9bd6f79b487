package io.sedge.task;

import io.sedge.engine.column.Batch;
import java.util.List;
import java.util.Map;

/**
 * One atomic step of a task. Whoever has all commits up to a sequence can go on from there: the
 * readings up to {@code positions} have become {@code changes} and {@code rows}, those after it
 * have left no trace.
 *
 * @param sequence 1 for the first; without gaps
 * @param positions how far each source has been read, by table
 * @param changes what changed in the task's state since the commit before, in order; empty if the
 *     log does not keep contents
 * @param rows what went to each sink since the commit before, in order, by table; empty if the log
 *     does not keep contents
 * @param progress how far the stream to each sink had come after these rows, by table; empty if the
 *     log does not keep contents
 */
public record Commit(
    long sequence,
    Map<String, byte[]> positions,
    List<StateChange> changes,
    Map<String, List<Batch>> rows,
    Map<String, Progress> progress) {
  public Commit {
    positions = Map.copyOf(positions);
    changes = List.copyOf(changes);
    rows = Map.copyOf(rows);
    progress = Map.copyOf(progress);
  }
}
