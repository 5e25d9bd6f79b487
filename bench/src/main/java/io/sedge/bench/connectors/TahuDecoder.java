package io.sedge.bench.connectors;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.bench.Meter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.tahu.message.SparkplugBPayloadDecoder;
import org.eclipse.tahu.message.model.Metric;

/**
 * A process with Tahu's decoder alone. {@code TahuDecoder SECONDS} decodes the same message in
 * memory again and again, and says what a metric takes; {@code TahuDecoder --port PORT} takes
 * messages from a broker and counts their metrics each second.
 */
final class TahuDecoder {
  static final String COST = "CPU ns a metric: ";

  private static final long SECOND_NANOS = 1_000_000_000;

  private TahuDecoder() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("--port")) {
      subscribe(Integer.parseInt(args[1]));
    } else {
      decode(Long.parseLong(args[0]) * SECOND_NANOS);
    }
  }

  /** The first half warms up. */
  private static void decode(long nanos) throws Exception {
    SparkplugBPayloadDecoder decoder = new SparkplugBPayloadDecoder();
    byte[] payload = SparkplugNode.data(1);
    for (int half = 0; half < 2; half++) {
      long end = System.nanoTime() + nanos / 2;
      long cpu = Meter.cpuNanos();
      long metrics = 0;
      while (System.nanoTime() < end) {
        metrics += values(decoder, payload);
      }
      if (half == 1) {
        System.out.printf(
            Locale.ROOT, COST + "%.3f%n", (double) (Meter.cpuNanos() - cpu) / metrics);
      }
    }
  }

  private static void subscribe(int port) {
    AtomicInteger count = new AtomicInteger();
    SparkplugBPayloadDecoder decoder = new SparkplugBPayloadDecoder();
    Mqtt5AsyncClient client =
        Mqtt5Client.builder()
            .identifier("bench-tahu")
            .serverHost("127.0.0.1")
            .serverPort(port)
            .buildAsync();
    client.connect().join();
    client
        .subscribeWith()
        .topicFilter("spBv1.0/%s/NDATA/%s".formatted(SparkplugNode.GROUP, SparkplugNode.NAME))
        .qos(MqttQos.AT_MOST_ONCE)
        .callback(message -> count.addAndGet(values(decoder, message)))
        .send()
        .join();
    long next = System.nanoTime();
    while (true) {
      next += SECOND_NANOS;
      while (System.nanoTime() < next) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
      System.out.printf("{\"n\":%d}%n", count.getAndSet(0));
    }
  }

  private static int values(SparkplugBPayloadDecoder decoder, Mqtt5Publish message) {
    try {
      return values(decoder, message.getPayloadAsBytes());
    } catch (Exception e) {
      throw new IllegalStateException("of Tahu", e);
    }
  }

  private static int values(SparkplugBPayloadDecoder decoder, byte[] payload) throws Exception {
    int values = 0;
    List<Metric> metrics = decoder.buildFromByteArray(payload, null).getMetrics();
    for (Metric metric : metrics) {
      values += metric.getValue() instanceof Double ? 1 : 0;
    }
    return values;
  }
}
