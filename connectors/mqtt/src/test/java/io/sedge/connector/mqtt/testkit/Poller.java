package io.sedge.connector.mqtt.testkit;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Polls a reader as a task does, and commits what it got every so many rows, or when nothing more
 * comes: HiveMQ sends no more until all that it sent is acknowledged.
 */
public final class Poller {
  /** For a poller that leaves committing to its user. */
  public static final int NEVER = Integer.MAX_VALUE;

  private static final int IDLE_POLLS = 3;

  private final SourceReader reader;
  private final int commitEvery;
  private final LongSupplier nanoClock;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();
  private SourceCounters committed;
  private int uncommitted;
  private int idlePolls;

  public Poller(SourceReader reader, int commitEvery) {
    this(reader, commitEvery, System::nanoTime);
  }

  /** With a clock of the test's own, which the reader is told. */
  public Poller(SourceReader reader, int commitEvery, LongSupplier nanoClock) {
    this.reader = reader;
    this.commitEvery = commitEvery;
    this.nanoClock = nanoClock;
    this.committed = reader.counters();
  }

  /** Polls once; returns whether rows came. */
  public boolean poll() {
    Batch batch = reader.poll(nanoClock.getAsLong());
    if (batch == null) {
      idlePolls++;
      boolean moved = !reader.counters().equals(committed);
      if (idlePolls > IDLE_POLLS && moved && commitEvery < NEVER) {
        commit();
      }
      return false;
    }
    idlePolls = 0;
    for (int row = 0; row < batch.rows(); row++) {
      rows.add(batch.row(row));
    }
    uncommitted += batch.rows();
    if (uncommitted >= commitEvery) {
      commit();
    }
    return true;
  }

  public void commit() {
    committed = reader.counters();
    reader.acknowledge(reader.position());
    uncommitted = 0;
  }

  /** Polls until the condition holds. */
  public void until(BooleanSupplier condition) {
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          poll();
          return condition.getAsBoolean();
        },
        () -> rows.size() + " rows");
  }

  /** Polls until there are so many rows. */
  public List<List<@Nullable Object>> rows(int count) {
    until(() -> rows.size() >= count);
    return rows;
  }

  public List<List<@Nullable Object>> rows() {
    return rows;
  }
}
