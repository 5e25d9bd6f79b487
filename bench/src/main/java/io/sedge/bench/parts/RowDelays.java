package io.sedge.bench.parts;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.bench.outside.SinkTail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long after a window of the plant was complete its row is in the sink's file. All sensors of
 * the plant have one clock, so one of them tells when the reading is sent that completes a window:
 * the first whose time is the window's end and the watermark's delay. Files are looked at a hundred
 * times a second. A thread of its own reads them; any thread may ask.
 */
final class RowDelays implements AutoCloseable {
  /** Samples as often as any other, and has a topic that one client may have for itself. */
  private static final String CLOCK = "plant/process/tank-1/level";

  private static final Pattern TIME = Pattern.compile("\"ts\":\\s*(\\d+)");

  /** In {@code examples/site.sql}; a window fires with the first reading at this time or later. */
  private static final long WATERMARK_MILLIS = 999;

  private static final long POLL_NANOS = 10_000_000;

  /** Kept of the clock: far more than any row waits. */
  private static final long KEPT_MILLIS = 3_600_000;

  private final Mqtt5AsyncClient client;
  private final SinkTail tail;
  private final NavigableMap<Long, Long> clock = new ConcurrentSkipListMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile String failure = "";

  /**
   * A row of the table {@code machines}.
   *
   * @param nanos when it was seen
   * @param readings that it has counted
   * @param delayNanos since the window was complete; -1 if that was not seen
   */
  private record Row(long nanos, long readings, long delayNanos) {}

  /**
   * What was seen in some time.
   *
   * @param readings that rows have counted
   * @param delaysNanos of rows, sorted
   */
  record Seen(long readings, List<Long> delaysNanos) {
    Seen {
      delaysNanos = delaysNanos.stream().sorted().toList();
    }
  }

  /**
   * @param broker its port
   * @param machines the directory of the table
   */
  RowDelays(int broker, Path machines) {
    this.tail = new SinkTail(machines);
    this.client =
        Mqtt5Client.builder()
            .identifier("bench-clock")
            .serverHost("127.0.0.1")
            .serverPort(broker)
            .buildAsync();
    client.publishes(MqttGlobalPublishFilter.ALL, this::arrived);
    client.connect().join();
    client.subscribeWith().topicFilter(CLOCK).qos(MqttQos.AT_MOST_ONCE).send().join();
    this.thread = Thread.ofPlatform().daemon().name("bench-rows").start(this::watch);
  }

  private void arrived(Mqtt5Publish message) {
    Matcher time = TIME.matcher(new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8));
    if (time.find()) {
      long millis = Long.parseLong(time.group(1));
      clock.putIfAbsent(millis, System.nanoTime());
      clock.headMap(millis - KEPT_MILLIS).clear();
    }
  }

  private void watch() {
    while (!closed) {
      try {
        List<String> lines = tail.poll();
        long now = System.nanoTime();
        lines.forEach(line -> add(line, now));
      } catch (IOException | RuntimeException e) {
        failure = e.toString();
        return;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private synchronized void add(String line, long now) {
    String[] cells = line.split(",", -1);
    long end =
        LocalDateTime.parse(cells[1].replace("\"", "").replace(' ', 'T'))
            .toInstant(ZoneOffset.UTC)
            .toEpochMilli();
    Map.Entry<Long, Long> complete = clock.ceilingEntry(end + WATERMARK_MILLIS);
    rows.add(
        new Row(now, Long.parseLong(cells[2]), complete == null ? -1 : now - complete.getValue()));
  }

  /** What was seen between two times; what is older than that is forgotten. */
  synchronized Seen between(long fromNanos, long toNanos) throws IOException {
    if (!failure.isEmpty()) {
      throw new IOException("rows could not be read: " + failure);
    }
    rows.removeIf(row -> row.nanos() < fromNanos);
    List<Row> some = rows.stream().filter(row -> row.nanos() <= toNanos).toList();
    return new Seen(
        some.stream().mapToLong(Row::readings).sum(),
        some.stream().map(Row::delayNanos).filter(delay -> delay >= 0).toList());
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.disconnect().join();
  }
}
