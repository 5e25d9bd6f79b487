package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Reports;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of what a {@link Poller} has got: all rows of an answer together, so that a position
 * is never amid one.
 *
 * <p>A service keeps no past, so reading goes on from now wherever a position is. The position has
 * the version whose rows are counted, which is not read again, and tells when the server was asked
 * last, so that the gap can be reported.
 */
final class PollReader implements SourceReader {
  private final PollSettings settings;
  private final ConnectorContext context;
  private final RowMaker rows;
  private final Reports reports;
  private PollPosition position = PollPosition.START;
  private @Nullable Poller poller;
  private long readings;
  private long bytes;
  private long malformed;

  PollReader(PollSettings settings) {
    this.settings = settings;
    this.context = settings.server().context();
    this.rows = new RowMaker(settings.table(), context, settings.form(), settings.pointer());
    this.reports = new Reports(settings.table().name(), context);
  }

  /** Asking begins here, since what {@link #seek} says must be known before. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    Poller asking = poller;
    if (asking == null) {
      reports.inform(
          "%s keeps no past: what is not asked for is missing, and reported with its times"
              .formatted(settings.server().place()));
      asking = new Poller(settings, position, reports);
      poller = asking;
      asking.start();
    }
    while (context.takesMalformed()) {
      Poller.Arrival arrival = asking.take();
      if (arrival == null) {
        throwIfFailed(asking);
        return null;
      }
      position = new PollPosition(arrival.micros(), arrival.validators());
      arrival.body().ifPresent(body -> add(body, arrival.micros()));
      if (rows.rows() > 0) {
        readings += rows.rows();
        return rows.build();
      }
    }
    return null;
  }

  private void add(byte[] body, long micros) {
    bytes += body.length;
    malformed += rows.add(body, settings.server().place(), micros).malformed();
  }

  private void throwIfFailed(Poller asking) {
    Throwable cause = asking.failure();
    if (cause != null) {
      throw Failures.external(
          "%s: asking has failed: %s".formatted(settings.server().subject(), cause), cause);
    }
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    return position.bytes();
  }

  @Override
  public void seek(byte[] sought) {
    position = PollPosition.parse(sought);
  }

  /** A service keeps nothing that it could forget. */
  @Override
  public void acknowledge(byte[] acknowledged) {}

  /** The poller wakes the task up. */
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
    if (poller != null) {
      poller.close();
    }
  }
}
