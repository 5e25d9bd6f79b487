package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions of topics. A {@link Fetcher} brings records on its own thread into an {@link
 * Inbox}; {@link #poll} makes rows of them on the task's thread.
 */
final class KafkaReader implements SourceReader {
  /** Records of so many bytes make a batch, however few rows they are. */
  private static final long BATCH_BYTES = 1 << 20;

  /** As much of a malformed payload is handed on. */
  private static final int SAMPLE_BYTES = 4096;

  private final String table;
  private final ConnectorContext context;
  private final RowReader rows;
  private final Inbox inbox;
  private final Fetcher fetcher;
  private final List<ConsumerRecord<byte[], byte[]>> drained = new ArrayList<>();
  private boolean opened;

  /** As of {@link Inbox#openings} when the position was last asked for. */
  private int told;

  private long readings;
  private long bytes;
  private long malformed;

  KafkaReader(String table, ConnectorContext context, SourceSettings settings, RowReader rows) {
    this.table = table;
    this.context = context;
    this.rows = rows;
    this.inbox = new Inbox(settings.queueBytes(), settings.isBounded());
    this.fetcher = new Fetcher(table, context, settings, inbox);
  }

  /** Fetching begins here, since what {@link #seek} says must be known before. */
  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (!opened) {
      opened = true;
      fetcher.start();
    }
    while (rows.rows() == 0 && context.takesMalformed()) {
      if (inbox.drain(drained, Batch.TARGET_ROWS, BATCH_BYTES, nowNanos, rows::isReady)) {
        fetcher.wakeUp();
      }
      if (drained.isEmpty()) {
        throwIfFailed();
        return null;
      }
      drained.forEach(this::decode);
      drained.clear();
    }
    if (rows.rows() == 0) {
      return null;
    }
    readings += rows.rows();
    return rows.build();
  }

  private void throwIfFailed() {
    ConnectorException failure = fetcher.failure();
    if (failure != null) {
      throw failure;
    }
  }

  private void decode(ConsumerRecord<byte[], byte[]> record) {
    bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
    try {
      rows.add(record);
    } catch (MalformedPayloadException e) {
      malformed++;
      byte[] payload = record.value() == null ? new byte[0] : record.value();
      context.malformed(
          table,
          "%s-%d@%d".formatted(record.topic(), record.partition(), record.offset()),
          payload.length > SAMPLE_BYTES ? Arrays.copyOf(payload, SAMPLE_BYTES) : payload,
          String.valueOf(e.getMessage()));
    }
  }

  @Override
  public boolean finished() {
    return inbox.isFinished();
  }

  @Override
  public byte[] position() {
    told = inbox.openings();
    return inbox.position().bytes();
  }

  /** Else rows that come while the device is replaced would be before the next one's start. */
  @Override
  public boolean hasNewPosition() {
    return inbox.openings() != told;
  }

  @Override
  public void seek(byte[] position) {
    inbox.seek(ReadPosition.parse(position));
  }

  @Override
  public void acknowledge(byte[] position) {
    fetcher.acknowledge(ReadPosition.parse(position));
  }

  /** The fetcher wakes the task up, also while records wait for those of other partitions. */
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
