package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.http.internal.Call.Reply;
import io.sedge.connector.http.internal.RowMaker.Outcome;
import io.sedge.engine.column.Batch;
import org.jspecify.annotations.Nullable;

/** Makes rows of requests, all of one together; they are answered when the rows are committed. */
final class WebhookReader implements SourceReader {
  private final WebhookSettings settings;
  private final ConnectorContext context;
  private final RowMaker rows;
  private final CallQueue queue;
  private @Nullable Doorway doorway;
  private long readings;
  private long bytes;
  private long malformed;

  WebhookReader(WebhookSettings settings) {
    this.settings = settings;
    this.context = settings.context();
    this.rows = new RowMaker(settings.table(), context, settings.form(), settings.pointer());
    this.queue = new CallQueue(settings.queueBytes(), settings.window());
  }

  /** Listening begins here, since what {@link #seek} says must be known before. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    Doorway open = doorway;
    if (open == null) {
      open = new Doorway(settings, queue);
      doorway = open;
    }
    throwIfFailed(open);
    while (rows.rows() < Batch.TARGET_ROWS && context.takesMalformed()) {
      Call call = queue.take();
      if (call == null) {
        break;
      }
      add(call);
    }
    readings += rows.rows();
    return rows.rows() == 0 ? null : rows.build();
  }

  private void throwIfFailed(Doorway open) {
    switch (open.failure()) {
      case null -> {}
      case ConnectorException known -> throw known;
      case Throwable cause ->
          throw Failures.external(
              "%s: listening has failed: %s".formatted(settings.subject(), cause), cause);
    }
  }

  private void add(Call call) {
    bytes += call.body().length;
    Outcome outcome = rows.add(call.body(), call.sender(), call.micros());
    malformed += outcome.malformed();
    if (outcome.rows() > 0) {
      queue.count(call);
    } else {
      queue.settle(
          call,
          outcome.malformed() > 0
              ? new Reply(400, outcome.reason())
              : new Reply(200, "nothing in it"));
    }
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    return queue.position();
  }

  @Override
  public void seek(byte[] position) {
    queue.seek(position);
  }

  @Override
  public void acknowledge(byte[] position) {
    queue.acknowledge(position);
  }

  @Override
  public boolean wantsCommit() {
    return queue.wantsCommit();
  }

  /** Each request wakes the task up. */
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
    queue.close();
    if (doorway != null) {
      doorway.close();
    }
  }
}
