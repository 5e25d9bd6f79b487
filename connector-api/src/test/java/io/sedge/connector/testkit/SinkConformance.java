package io.sedge.connector.testkit;

import static io.sedge.connector.Guarantee.EXACTLY_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * What every sink must do. A subclass names a table and says what of it has reached the far end;
 * the suite writes to it in all ways that a task does.
 */
public abstract class SinkConformance {
  private static final Delivery.Writer WRITER =
      new Delivery.Writer("a site", "job", "delivery", "readings");

  /** After so many calls at most a sink dies. */
  private static final int MOST_CALLS = 9;

  /** Sinks that a test has left as if they were dead; some may come back to life. */
  private final List<Sink> dead = new ArrayList<>();

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

  /** What of a key is at the far end once its row is removed: 1 where a removal is a message. */
  protected int writtenOfARemovedKey() {
    return 1;
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
    try (Feed sink = Feed.open(factory())) {
      int from = 0;
      for (int size : new int[] {1, 0, 3, 4_096, 2, 5_000}) {
        sink.give(batch(from, from + size));
        from += size;
      }
      sink.flushAll();
    }
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(9_102));
  }

  /** Also where a batch is nothing but such rows: it is confirmed, so that nobody waits for it. */
  @Test
  void aRowThatItsFormatCannotHoldIsToldAndTheOthersAreWritten() throws IOException {
    Assumptions.assumeTrue(
        keeps() && table().options().keySet().stream().anyMatch(key -> key.endsWith("format")),
        "the table has no format");
    context().refuse(batch(1, 2).row(0));
    try (Feed sink = Feed.open(factory(), Delivery.of(WRITER, 1, 0))) {
      sink.give(batch(0, 4));
      sink.flushAll();
      sink.give(batch(1, 2));
      sink.flushAll();
    }
    try (Feed next = Feed.open(factory(), Delivery.of(WRITER, 1, 5))) {
      next.give(batch(4, 5));
      next.flushAll();
    }
    List<String> others = expectedRows(5);
    others.remove(1);
    assertThat(written()).containsExactlyInAnyOrderElementsOf(others);
    assertThat(context().malformed())
        .extracting(TestContext.Malformed::origin, TestContext.Malformed::reason)
        .containsExactly(
            tuple("row 2", "the row does not fit"), tuple("row 5", "the row does not fit"));
  }

  @Test
  void bytesOnlyGrow() {
    try (Feed sink = Feed.open(factory())) {
      assertThat(sink.bytes()).isZero();
      sink.give(batch(0, 10));
      sink.flushAll();
      long ten = sink.bytes();
      sink.give(batch(10, 20));
      sink.flushAll();
      assertThat(ten > 0).isEqualTo(keeps());
      assertThat(sink.bytes() > ten).isEqualTo(keeps());
    }
  }

  @Test
  void aSinkMayBeClosedTwiceAndUnused() throws IOException {
    Feed unused = Feed.open(factory());
    unused.close();
    unused.close();
    assertThat(written()).isEmpty();
    Feed used = Feed.open(factory());
    used.give(batch(0, 5));
    used.close();
    used.close();
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(5));
  }

  @Test
  void aSecondSinkGoesOnAfterTheFirst() throws IOException {
    for (int from : new int[] {0, 5}) {
      try (Feed sink = Feed.open(factory())) {
        sink.give(batch(from, from + 5));
        sink.flushAll();
      }
    }
    assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(10));
  }

  @Test
  void aSinkThatTakesUpdatesTakesAllKinds() throws IOException {
    Assumptions.assumeTrue(
        factory().changelogMode() != ChangelogMode.INSERT_ONLY, "the sink takes insertions only");
    try (Feed sink = Feed.open(factory())) {
      BatchBuilder builder = new BatchBuilder(table().schema());
      for (ChangeKind kind : ChangeKind.values()) {
        Object[] row = row(0);
        for (int column = 0; column < row.length; column++) {
          builder.column(column).add(row[column]);
        }
        builder.endRow(kind);
      }
      sink.give(builder.build());
      sink.flushAll();
    }
    // They are changes of one key, the last of which, its removal, counts for an upsert.
    int told =
        factory().changelogMode() == ChangelogMode.UPSERT
            ? writtenOfARemovedKey()
            : ChangeKind.values().length;
    assertThat(written()).hasSize(keeps() ? told : 0);
  }

  @AfterEach
  void closeTheDead() {
    for (Sink sink : dead) {
      try {
        sink.close();
      } catch (ConnectorException e) {
        assertThat(factory().guarantee()).as("may refuse: %s", e).isEqualTo(EXACTLY_ONCE);
      }
    }
  }

  /**
   * Batches as an outbox has them: always the same, and with gaps between them, since rows of other
   * tables are counted too.
   */
  private final class Outbox {
    private final List<NumberedBatch> batches = new ArrayList<>();
    private int rows;

    /** The first batch whose rows come after a sequence. */
    NumberedBatch after(long sequence) {
      for (NumberedBatch batch : batches) {
        if (batch.last() > sequence) {
          assertThat(batch.first())
              .as("a batch is there whole or not at all")
              .isGreaterThan(sequence);
          return batch;
        }
      }
      int size = 1 + batches.size() % 4 * 3;
      NumberedBatch next =
          new NumberedBatch(sequence + 1 + batches.size() % 3, batch(rows, rows + size));
      rows += size;
      batches.add(next);
      return next;
    }

    long last() {
      return batches.getLast().last();
    }
  }

  /**
   * The sink is left after any number of calls, and another goes on from what the ledger knows:
   * what was told as durable last, or before that. At the end those that were taken for dead come
   * back.
   */
  @Test
  void aSinkThatDiesBetweenTwoCallsIsFollowedByAnother() throws IOException {
    Outbox outbox = new Outbox();
    long acknowledged = 0;
    for (int calls = 0; calls <= MOST_CALLS; calls++) {
      for (boolean late : new boolean[] {true, false}) {
        Sink sink = factory().open(Delivery.of(WRITER, 1, acknowledged));
        dead.add(sink);
        long before = acknowledged;
        long durable = sink.flush();
        assertThat(durable).as("what is there").isGreaterThanOrEqualTo(acknowledged);
        long taken = durable;
        for (int call = 1; call <= calls; call++) {
          NumberedBatch next = outbox.after(taken);
          if (call % 3 != 0) {
            taken = sink.offer(next) ? next.last() : taken;
          } else {
            before = durable;
            durable = sink.flush();
            assertThat(durable).as("what is durable").isBetween(before, taken);
          }
        }
        acknowledged = late ? before : durable;
      }
    }
    try (Feed sink = Feed.open(factory(), Delivery.of(WRITER, 1, acknowledged))) {
      do {
        sink.give(outbox.after(sink.taken()));
      } while (sink.taken() < outbox.last());
      sink.flushAll();
    }
    checkDelivered(outbox.rows);
    closeTheDead();
    checkDelivered(outbox.rows);
  }

  private void checkDelivered(int rows) throws IOException {
    switch (factory().guarantee()) {
      case EXACTLY_ONCE ->
          assertThat(written()).containsExactlyInAnyOrderElementsOf(expectedRows(rows));
      case AT_LEAST_ONCE ->
          assertThat(new LinkedHashSet<>(written())).containsExactlyElementsOf(expectedRows(rows));
    }
  }
}
