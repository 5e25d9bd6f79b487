package io.sedge.bench.connectors;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Readings of a thousand sensors in a topic of two partitions, as JSON, and what windows over them
 * must count. One script is for Sedge and for Flink.
 */
final class KafkaReadings {
  static final int PARTITIONS = 2;
  private static final int SENSORS = 1_000;
  private static final int WINDOW_SECONDS = 10;

  /** Of all sensors together, by the readings' own times. */
  private static final int PER_SECOND = 10_000;

  private static final long BEGIN_MILLIS = 1_767_225_600_000L;

  private KafkaReadings() {}

  static void write(KafkaBroker broker, String topic, int count) throws IOException {
    broker.create(topic, PARTITIONS);
    try (KafkaProducer<byte[], byte[]> producer = broker.producer()) {
      for (int i = 0; i < count; i++) {
        long time = BEGIN_MILLIS + i * 1_000L / PER_SECOND;
        String value =
            ("{\"id\":\"line-1/sensor-" + i % SENSORS)
                + ("\",\"ts\":" + time)
                + (",\"value\":" + i * 7_919L % 100 + "." + i % 10 + "}");
        var _ =
            producer.send(
                new ProducerRecord<>(topic, i / SENSORS % PARTITIONS, time, null, bytes(value)));
      }
      producer.flush();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The statements of the job. */
  static String[] script(KafkaBroker broker, String from, String to) {
    String servers = broker.servers();
    return new String[] {
      """
      CREATE TABLE readings (
        id STRING, ts BIGINT, `value` DOUBLE, rt AS TO_TIMESTAMP_LTZ(ts, 3),
        WATERMARK FOR rt AS rt - INTERVAL '0.001' SECOND
      ) WITH ('connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json')
      """
          .formatted(from, servers),
      """
      CREATE TABLE results (id STRING, window_end TIMESTAMP(3), n BIGINT, lo DOUBLE, hi DOUBLE, mean DOUBLE)
      WITH ('connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
        'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = '%1$s',
        'properties.transaction.timeout.ms' = '300000', 'format' = 'json')
      """
          .formatted(to, servers),
      """
      INSERT INTO results
      SELECT id, window_end, COUNT(*), MIN(`value`), MAX(`value`), AVG(`value`)
      FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(rt), INTERVAL '%d' SECOND))
      GROUP BY id, window_start, window_end
      """
          .formatted(WINDOW_SECONDS)
    };
  }

  /**
   * Whether each window of each sensor is there once, and they count all readings.
   *
   * @throws IOException if not
   */
  static void check(KafkaBroker broker, String topic, int count) throws IOException {
    Set<String> windows = new HashSet<>();
    long[] seen = {0, 0};
    broker.read(
        topic,
        value -> {
          JSONObject row = JSON.parseObject(value);
          seen[0] += row.getLongValue("n");
          seen[1]++;
          windows.add(row.getString("id") + row.getString("window_end"));
        });
    long perWindow = (long) WINDOW_SECONDS * PER_SECOND;
    long expected = (count + perWindow - 1) / perWindow * SENSORS;
    if (seen[0] != count || seen[1] != expected || windows.size() != expected) {
      throw new IOException(
          "%s has %d rows of %d windows, which count %d readings; %d rows and %d readings are due"
              .formatted(topic, seen[1], windows.size(), seen[0], expected, count));
    }
  }
}
