package io.sedge.task.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Keeps what it takes, by source: the numbers of {@link FakeSource}, and malformed payloads that
 * are numbers. Refuses at random; what it took becomes durable some flushes later.
 */
public final class FakeSink implements Sink {
  private final Random random;
  private final double refusal;
  private final Map<String, List<Long>> taken = new HashMap<>();
  private final Map<String, Integer> durable = new HashMap<>();
  private boolean stuck;
  private boolean wakes;
  private long rows;
  private long takenUpTo;
  private long durableUpTo;
  private int flushes;

  /**
   * @param refusal how probable it is that it refuses, or is not ready with a flush
   */
  public FakeSink(Random random, double refusal) {
    this.random = random;
    this.refusal = refusal;
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    if (stuck || random.nextDouble() < refusal) {
      return false;
    }
    Batch batch = numbered.batch();
    assertThat(numbered.first()).as("sequence").isGreaterThan(takenUpTo);
    takenUpTo = numbered.last();
    rows += batch.rows();
    for (int row = 0; row < batch.rows() && batch.columns().size() == 2; row++) {
      if (batch.column(0).value(row) instanceof String source) {
        taken
            .computeIfAbsent(source, _ -> new ArrayList<>())
            .add((Long) batch.column(1).value(row));
      }
    }
    for (int row = 0; row < batch.rows() && batch.columns().size() == 3; row++) {
      String origin = (String) batch.column(0).value(row);
      String payload = (String) batch.column(1).value(row);
      taken.computeIfAbsent(origin, _ -> new ArrayList<>()).add(Long.parseLong(payload));
    }
    return true;
  }

  @Override
  public long flush() {
    flushes++;
    if (!stuck && random.nextDouble() >= refusal) {
      taken.forEach((source, numbers) -> durable.put(source, numbers.size()));
      durableUpTo = takenUpTo;
    }
    return durableUpTo;
  }

  /** From now on it says that it wakes its task up. */
  public void wakeByItself() {
    wakes = true;
  }

  @Override
  public boolean wakes() {
    return wakes;
  }

  public void stick(boolean newStuck) {
    stuck = newStuck;
  }

  public int flushes() {
    return flushes;
  }

  /** Rows taken, of whatever form. */
  public long rows() {
    return rows;
  }

  public List<Long> taken(String source) {
    return taken.getOrDefault(source, List.of());
  }

  public int durable(String source) {
    return durable.getOrDefault(source, 0);
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public void close() {}
}
