package io.sedge.connector.sparkplug.testkit;

import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Polls a reader as a task does: when it is woken. */
public final class Drain {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final SourceReader reader;
  private final TestContext context;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();
  private int woken = -1;

  /**
   * @param context the reader's, by which it wakes the task
   */
  public Drain(SourceReader reader, TestContext context) {
    this.reader = reader;
    this.context = context;
  }

  /** Polls until a condition holds. */
  public void pollUntil(String what, BooleanSupplier condition) {
    Await.until(
        LIMIT,
        () -> {
          poll();
          return condition.getAsBoolean();
        },
        () -> what + "; rows " + rows + ", reports " + context.reports());
  }

  private void poll() {
    int now = context.wakeUps();
    if (now == woken) {
      return;
    }
    woken = now;
    for (Batch batch = reader.poll(System.nanoTime());
        batch != null;
        batch = reader.poll(System.nanoTime())) {
      for (int row = 0; row < batch.rows(); row++) {
        rows.add(batch.row(row));
      }
    }
  }

  /** All rows so far. */
  public List<List<@Nullable Object>> rows() {
    return rows;
  }

  /** Polls until the rows are these, in this order, and forgets them. */
  public void expect(List<?>... expected) {
    pollUntil(List.of(expected).toString(), () -> rows.equals(List.of(expected)));
    rows.clear();
  }

  /** Polls until a report has a text. */
  public void expectReport(String text) {
    pollUntil(text, () -> context.reports().stream().anyMatch(said -> said.contains(text)));
  }
}
