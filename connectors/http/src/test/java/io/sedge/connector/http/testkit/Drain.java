package io.sedge.connector.http.testkit;

import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Polls a reader as a task does. */
public final class Drain {
  private final SourceReader reader;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  /** Of a reader that is open. */
  public Drain(SourceReader reader) {
    this.reader = reader;
  }

  /** Polls once; the rows so far. */
  public List<List<@Nullable Object>> poll() {
    Batch batch = reader.poll(System.nanoTime());
    for (int row = 0; batch != null && row < batch.rows(); row++) {
      rows.add(batch.row(row));
    }
    return rows;
  }

  /** Polls until there are so many rows; all of them. */
  public List<List<@Nullable Object>> until(int count) {
    Await.until("%d rows".formatted(count), () -> poll().size() >= count);
    return rows;
  }
}
