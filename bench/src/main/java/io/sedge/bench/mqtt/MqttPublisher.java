package io.sedge.bench.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A process that publishes readings at QoS 1 over one connection: {@code MqttPublisher PORT COUNT
 * RATE}; rate 0 is as fast as the broker takes them. Each says when it was due.
 */
public final class MqttPublisher {
  static final String TIME = "{\"ts\":";
  private static final int IN_FLIGHT = 1000;

  private MqttPublisher() {}

  public static void main(String[] args) throws InterruptedException {
    int count = Integer.parseInt(args[1]);
    long rate = Long.parseLong(args[2]);
    Readings readings = new Readings();
    Mqtt5AsyncClient client = BareClient.client("bench-publisher", Integer.parseInt(args[0]));
    client.connect().join();
    Semaphore room = new Semaphore(IN_FLIGHT);
    Pace pace = new Pace(count, 0, Math.max(1, rate));
    pace.start();
    for (int i = 0; i < count; i++) {
      if (rate > 0) {
        pace.awaitDue(i);
      }
      room.acquire();
      long due = rate > 0 ? pace.dueNanos(i) : System.nanoTime();
      var _ =
          client
              .publishWith()
              .topic("bench/sensor-" + readings.sensor(i))
              .qos(MqttQos.AT_LEAST_ONCE)
              .payload(payload(due, readings.value(i)))
              .send()
              .whenComplete((_, failure) -> done(room, failure));
    }
    room.acquire(IN_FLIGHT);
    client.disconnect().join();
    System.exit(0);
  }

  private static byte[] payload(long due, double value) {
    return (TIME + due + ",\"value\":" + value + "}").getBytes(StandardCharsets.UTF_8);
  }

  private static void done(Semaphore room, @Nullable Throwable failure) {
    if (failure != null) {
      System.err.println("publishing failed: " + failure);
      Runtime.getRuntime().halt(1);
    }
    room.release();
  }
}
