package io.sedge.connector.jdbc.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import org.jspecify.annotations.Nullable;

/** Reads a table, or a part of it. A {@link Fetcher} brings rows on its own thread. */
final class JdbcReader implements SourceReader {
  private final ScanSettings settings;
  private final ConnectorContext context;
  private final Fetcher fetcher;
  private ScanPosition position = ScanPosition.START;
  private boolean started;
  private long readings;
  private long bytes;
  private long malformed;

  JdbcReader(ScanSettings settings) {
    this.settings = settings;
    this.context = settings.context();
    this.fetcher = new Fetcher(settings);
  }

  /** Reading begins here, since what {@link #seek} says must be known before. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (!started) {
      started = true;
      fetcher.start(position);
    }
    while (context.takesMalformed()) {
      Chunk chunk = fetcher.poll();
      if (chunk == null) {
        throwIfFailed();
        return null;
      }
      take(chunk);
      if (chunk.batch().rows() > 0) {
        return chunk.batch();
      }
    }
    return null;
  }

  private void take(Chunk chunk) {
    position = chunk.after();
    readings += chunk.batch().rows();
    bytes += chunk.bytes();
    for (Chunk.Malformed row : chunk.malformed()) {
      malformed++;
      context.malformed(
          settings.table().name(), settings.path(), row.text().getBytes(UTF_8), row.reason());
    }
  }

  private void throwIfFailed() {
    ConnectorException failure = fetcher.failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public boolean finished() {
    return fetcher.isFinished();
  }

  @Override
  public byte[] position() {
    return position.bytes();
  }

  @Override
  public void seek(byte[] sought) {
    position = ScanPosition.parse(sought);
  }

  /** The database keeps its rows. */
  @Override
  public void acknowledge(byte[] acknowledged) {}

  /** The fetcher wakes the task up. */
  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, 0);
  }

  @Override
  public void close() {
    fetcher.close();
  }
}
