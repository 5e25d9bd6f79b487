package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Outage;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table on a thread of its own into a bounded queue. When the connection is lost it is
 * opened again, and reading goes on behind the last row; it fails once the database was away for as
 * long as the table's patience lasts.
 */
final class Fetcher {
  /** So many chunks wait for the task at most. */
  private static final int WAITING = 4;

  /** Rows of so many bytes make a chunk, however few they are. */
  private static final long CHUNK_BYTES = 1 << 20;

  private static final int SAMPLE_CHARACTERS = 4_096;

  private static final int CLOSE_SECONDS = 2;

  private final ScanSettings settings;
  private final BlockingQueue<Chunk> chunks = new ArrayBlockingQueue<>(WAITING);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Outage outage;
  private final Thread thread;
  private ScanPosition position = ScanPosition.START;
  private long awaySinceNanos;
  private boolean away;
  private boolean opened;
  private volatile @Nullable Scan scan;
  private volatile boolean ended;
  private volatile @Nullable ConnectorException failure;

  Fetcher(ScanSettings settings) {
    this.settings = settings;
    this.outage = new Outage(settings.subject(), settings.context());
    this.thread =
        Thread.ofPlatform()
            .name("jdbc-source-" + settings.table().name())
            .daemon()
            .unstarted(this::run);
  }

  /** Begins to read behind a position. */
  void start(ScanPosition from) {
    position = from;
    thread.start();
  }

  /** What comes next, if it is there already. */
  @Nullable Chunk poll() {
    return chunks.poll();
  }

  /** Whether all was read, and taken by {@link #poll}. */
  boolean isFinished() {
    return ended && chunks.isEmpty();
  }

  /** Why reading has failed for good, if it has. */
  @Nullable ConnectorException failure() {
    return failure;
  }

  /** The boundary of the thread. */
  private void run() {
    boolean done = false;
    while (!done) {
      try {
        read();
        ended = true;
        settings.context().wakeUp();
        done = true;
      } catch (InterruptedException e) {
        done = true;
      } catch (ConnectorException e) {
        done = fail(e);
      } catch (SQLException e) {
        done = failed(e);
      } catch (RuntimeException | Error e) {
        done = fail(Failures.external("%s: reading fails: %s".formatted(settings.subject(), e), e));
      }
    }
  }

  private void read() throws SQLException, InterruptedException {
    try (Scan opening = new Scan(settings, position)) {
      scan = opening;
      opened = true;
      boolean more = true;
      while (more) {
        more = readChunk(opening);
        away = false; // Not before: a query may fail each time at the same row.
        outage.ended();
      }
    }
  }

  /** Reads rows for a chunk; whether there may be more. */
  private boolean readChunk(Scan opened) throws SQLException, InterruptedException {
    BatchBuilder builder = new BatchBuilder(settings.table().schema());
    List<Chunk.Malformed> malformed = new ArrayList<>();
    List<String> last = position.last();
    long rows = 0;
    long bytes = 0;
    boolean more = true;
    while (rows < Batch.TARGET_ROWS && bytes < CHUNK_BYTES && more) {
      more = opened.next();
      if (more) {
        bytes += add(opened.row(), builder, malformed);
        rows++;
        last = settings.isKeyed() ? order(opened.row()) : last;
      }
    }
    if (rows > 0) {
      position = new ScanPosition(position.rows() + rows, last);
      chunks.put(new Chunk(builder.build(), malformed, position, bytes));
      settings.context().wakeUp();
    }
    return more;
  }

  /** Adds a row, or says why not; what its values take. */
  private long add(ResultSet row, BatchBuilder builder, List<Chunk.Malformed> malformed)
      throws SQLException {
    Schema schema = settings.table().schema();
    Dialect dialect = settings.database().dialect();
    long bytes = 0;
    for (int column = 0; column < schema.size(); column++) {
      try {
        bytes += Values.read(row, column + 1, schema.type(column), dialect, builder.column(column));
      } catch (Values.UnfitException e) {
        builder.discardRow();
        String reason = "column %s %s".formatted(schema.name(column), e.getMessage());
        malformed.add(new Chunk.Malformed(text(row), reason));
        return bytes;
      }
    }
    builder.endRow();
    return bytes;
  }

  private String text(ResultSet row) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < settings.table().schema().size(); column++) {
      text.append(column == 0 ? "" : ", ").append(row.getString(column + 1));
    }
    text.setLength(Math.min(text.length(), SAMPLE_CHARACTERS));
    return text.toString();
  }

  /** The values that the row is ordered by, as text. */
  private List<String> order(ResultSet row) throws SQLException {
    Schema schema = settings.table().schema();
    List<Integer> columns = settings.order();
    BatchBuilder one = new BatchBuilder(schema);
    List<String> values = new ArrayList<>(columns.size());
    for (int column : columns) {
      try {
        var _ =
            Values.read(
                row,
                column + 1,
                schema.type(column).notNull(),
                settings.database().dialect(),
                one.column(column));
      } catch (Values.UnfitException e) {
        throw Failures.external(
            "%s: column %s is of the key and %s, so reading cannot go on behind the row"
                .formatted(settings.subject(), schema.name(column), e.getMessage()),
            e);
      }
      values.add(String.valueOf(one.column(column).build().value(0)));
    }
    return values;
  }

  /** Whether it has ended. */
  private boolean failed(SQLException e) {
    String reason = Failures.explain(e);
    long now = settings.context().nanoTime();
    if (!away) {
      away = true;
      awaySinceNanos = now;
    }
    boolean tooLong = now - awaySinceNanos >= settings.patience().toNanos();
    if (tooLong || (!opened && Failures.isLasting(e))) {
      return fail(Failures.external("%s: %s".formatted(settings.subject(), reason), e));
    }
    try {
      return stopped.await(outage.failed(reason).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException again) {
      return true;
    }
  }

  private boolean fail(ConnectorException e) {
    failure = e;
    settings.context().wakeUp();
    return true;
  }

  void close() {
    stopped.countDown();
    Scan open = scan;
    if (open != null && thread.isAlive()) {
      open.abort();
    }
    thread.interrupt();
    try {
      var _ = thread.join(Duration.ofSeconds(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalThreadStateException e) {
      return; // It was never started.
    }
  }
}
