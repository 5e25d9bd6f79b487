package io.sedge.task.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.task.Commit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables that go through a task side by side, each to the sink of its name. A source is
 * acknowledged when its own sink has written what it had taken at the commit, whatever the other
 * sinks do.
 */
final class SeparateTables {
  /** Commits that a table remembers; of more the last ones count as one. */
  private static final int MAX_WAITING = 64;

  private final Map<String, Lane> lanes = new HashMap<>();

  private record Lane(SourceInput input, SinkOutput output, Deque<Waiting> waiting) {}

  /** What was committed. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  private record Waiting(long taken, byte[] position) {}

  SeparateTables(List<SourceInput> inputs, List<SinkOutput> outputs) {
    Map<String, SinkOutput> byTable = new HashMap<>();
    outputs.forEach(output -> byTable.put(output.table(), output));
    for (SourceInput input : inputs) {
      SinkOutput output = requireNonNull(byTable.get(input.table()), input.table());
      lanes.put(input.table(), new Lane(input, output, new ArrayDeque<>()));
    }
  }

  /** Takes a commit that the log has. */
  void add(Commit commit) {
    commit
        .positions()
        .forEach(
            (table, position) -> {
              Lane lane = requireNonNull(lanes.get(table), table);
              if (lane.waiting().size() == MAX_WAITING) {
                lane.waiting().removeLast();
              }
              lane.waiting().add(new Waiting(lane.output().taken(), position));
            });
  }

  /** Drives all sinks and acknowledges what they have written; how many commits of tables. */
  int drive() {
    int acknowledged = 0;
    for (Lane lane : lanes.values()) {
      lane.output().flush();
      while (!lane.waiting().isEmpty()
          && lane.output().isDurable(lane.waiting().getFirst().taken())) {
        lane.input().acknowledge(lane.waiting().removeFirst().position());
        acknowledged++;
      }
    }
    return acknowledged;
  }

  /** Whether whoever has something to write says when it is written. */
  boolean isAtRest() {
    return lanes.values().stream()
        .allMatch(lane -> lane.waiting().isEmpty() || lane.output().wakes());
  }

  /** Whether a table's sink says when it has room. */
  boolean wakes(String table) {
    return requireNonNull(lanes.get(table), table).output().wakes();
  }

  /** Whether all that was committed is written. */
  boolean isSettled() {
    return lanes.values().stream().allMatch(lane -> lane.waiting().isEmpty());
  }
}
