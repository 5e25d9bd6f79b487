package io.sedge.connector.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What every sink must do. A subclass names a table and says what of it has reached the far end;
 * the suite writes to it in all ways that a task does.
 */
public abstract class SinkConformance {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** The connector under test. */
  protected abstract ConnectorFactory connector();

  /** A table that can be written, empty at first. Called once per test. */
  protected abstract TableDescriptor table();

  /** What the connector runs in. */
  protected abstract TestContext context();

  /** A row for the table; another for each number. */
  protected abstract Object[] row(int number);

  /** What stands for that row at the far end: a line, a payload. */
  protected abstract String expected(int number);

  /** What is at the far end now, in any order. */
  protected abstract List<String> written() throws IOException;

  /** Whether the sink keeps what it takes, so that there is anything to look at. */
  protected boolean keeps() {
    return true;
  }

  private SinkFactory factory() {
    return connector().sink(table(), context()).orElseThrow();
  }

  private Batch batch(int from, int to) {
    BatchBuilder builder = new BatchBuilder(table().schema());
    for (int number = from; number < to; number++) {
      builder.addRow(row(number));
    }
    return builder.build();
  }

  /** Offers a batch again and again until there is room. */
  private static void offer(Sink sink, Batch batch) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!sink.offer(batch)) {
      assertThat(System.nanoTime()).as("no room in the sink").isLessThan(deadline);
      sink.flush();
      Thread.onSpinWait();
    }
  }

  private static void flush(Sink sink) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!sink.flush()) {
      assertThat(System.nanoTime()).as("the sink is never flushed").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private List<String> expectedRows(int to) {
    List<String> rows = new ArrayList<>();
    for (int number = 0; keeps() && number < to; number++) {
      rows.add(expected(number));
    }
    return rows;
  }

  @Test
  void optionsAreDeclaredAndOthersAreRefused() {
    OptionConformance.check(connector(), table());
  }

  // Nothing is lost where the sink refuses, and nothing is written twice where it is asked again.
  @Test
  void allRowsAreWrittenOnceInBatchesOfAnySize() throws IOException {
    try (Sink sink = factory().open()) {
      int from = 0;
      for (int size : new int[] {1, 0, 3, 4_096, 2, 5_000}) {
        offer(sink, batch(from, from + size));
        from += size;
      }
      flush(sink);
    }
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(9_102));
  }

  @Test
  void bytesOnlyGrow() {
    try (Sink sink = factory().open()) {
      assertThat(sink.bytes()).isZero();
      offer(sink, batch(0, 10));
      flush(sink);
      long ten = sink.bytes();
      offer(sink, batch(10, 20));
      flush(sink);
      assertThat(ten > 0).isEqualTo(keeps());
      assertThat(sink.bytes() > ten).isEqualTo(keeps());
    }
  }

  @Test
  void aSinkMayBeClosedTwiceAndUnused() throws IOException {
    Sink unused = factory().open();
    unused.close();
    unused.close();
    assertThat(written()).isEmpty();
    Sink used = factory().open();
    offer(used, batch(0, 5));
    used.close();
    used.close();
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(5));
  }

  @Test
  void aSecondSinkGoesOnAfterTheFirst() throws IOException {
    for (int from : new int[] {0, 5}) {
      try (Sink sink = factory().open()) {
        offer(sink, batch(from, from + 5));
        flush(sink);
      }
    }
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(10));
  }

  @Test
  void aSinkThatTakesUpdatesTakesAllKinds() throws IOException {
    Assumptions.assumeTrue(factory().acceptsUpdates(), "the sink takes insertions only");
    try (Sink sink = factory().open()) {
      BatchBuilder builder = new BatchBuilder(table().schema());
      for (ChangeKind kind : ChangeKind.values()) {
        Object[] row = row(0);
        for (int column = 0; column < row.length; column++) {
          builder.column(column).add(row[column]);
        }
        builder.endRow(kind);
      }
      offer(sink, builder.build());
      flush(sink);
    }
    assertThat(written()).hasSize(keeps() ? ChangeKind.values().length : 0);
  }
}
