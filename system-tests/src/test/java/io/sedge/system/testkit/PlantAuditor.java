package io.sedge.system.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the simulated plant's sensors beside the site, with a client of its own, and works out what
 * the windows of {@code examples/site.sql} must hold: it shares no code with Sedge. Each sensor
 * numbers its readings, so the auditor knows whether it has all of them itself.
 */
public final class PlantAuditor implements AutoCloseable {
  /** Of the windows, in milliseconds of the plant's clock. */
  public static final long WINDOW_MILLIS = 5_000;

  private static final long WATERMARK_MILLIS = 1_000;

  private static final Pattern TOPIC = Pattern.compile("plant/([^/]+)/([^/]+)/([^/]+)");
  private static final Pattern READING =
      Pattern.compile("\\{\"ts\": ?(\\d+), ?\"value\": ?([-+.\\dEe]+), ?\"seq\": ?(\\d+)}");

  private final Mqtt5AsyncClient client;
  private final Map<String, Long> lastSeq = new HashMap<>();
  private final Map<String, Long> lastMillis = new TreeMap<>();
  private final Map<WindowKey, Window> machines = new HashMap<>();
  private final Map<WindowKey, Window> zones = new HashMap<>();
  private final List<String> strange = new ArrayList<>();

  /**
   * A window of a group.
   *
   * @param group a machine, or a zone and a quantity with a comma between
   * @param endMillis of the plant's clock
   */
  public record WindowKey(String group, long endMillis) {}

  /**
   * What a window must hold.
   *
   * @param readings how many
   * @param sum of their values
   * @param hottest bearing temperature; NaN if none was read
   */
  public record Window(long readings, double sum, double hottest) {
    private static final Window EMPTY = new Window(0, 0, Double.NaN);

    private Window with(String quantity, double value) {
      boolean bearing = quantity.equals("bearing_temperature");
      double hotter = Double.isNaN(hottest) ? value : Math.max(hottest, value);
      return new Window(readings + 1, sum + value, bearing ? hotter : hottest);
    }
  }

  private PlantAuditor(int port) throws InterruptedException {
    client =
        Mqtt5Client.builder()
            .identifier("auditor")
            .serverHost("127.0.0.1")
            .serverPort(port)
            .buildAsync();
    try {
      client.connect().get(30, TimeUnit.SECONDS);
      client
          .subscribeWith()
          .topicFilter("plant/+/+/+")
          .qos(MqttQos.AT_LEAST_ONCE)
          .callback(this::add)
          .send()
          .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads from now on what a broker of this machine has. */
  public static PlantAuditor at(int port) throws InterruptedException {
    return new PlantAuditor(port);
  }

  private synchronized void add(Mqtt5Publish publish) {
    Matcher topic = TOPIC.matcher(publish.getTopic().toString());
    Matcher reading = READING.matcher(new String(publish.getPayloadAsBytes(), UTF_8));
    if (!topic.matches() || !reading.matches()) {
      strange.add(publish.getTopic() + " " + new String(publish.getPayloadAsBytes(), UTF_8));
      return;
    }
    long seq = Long.parseLong(reading.group(3));
    Long before = lastSeq.put(topic.group(), seq);
    if (before != null && seq != before + 1) {
      strange.add("%s has number %d after %d".formatted(topic.group(), seq, before));
    }
    String zone = topic.group(1);
    String machine = topic.group(2);
    String quantity = topic.group(3);
    long millis = Long.parseLong(reading.group(1));
    double value = Double.parseDouble(reading.group(2));
    long end = millis - Math.floorMod(millis, WINDOW_MILLIS) + WINDOW_MILLIS;
    lastMillis.merge(machine, millis, Math::max);
    count(machines, new WindowKey(machine, end), quantity, value);
    count(zones, new WindowKey(zone + "," + quantity, end), quantity, value);
  }

  private static void count(
      Map<WindowKey, Window> windows, WindowKey key, String quantity, double value) {
    windows.merge(key, Window.EMPTY.with(quantity, value), (all, _) -> all.with(quantity, value));
  }

  /** What no sensor of the plant sends, and numbers that were left out or repeated. */
  public synchronized List<String> strange() {
    return List.copyOf(strange);
  }

  /** Windows of machines that end between two times of the plant's clock, the first left out. */
  public synchronized Map<WindowKey, Window> machines(long afterMillis, long untilMillis) {
    return between(machines, afterMillis, untilMillis);
  }

  /** Windows of zones and quantities that end between two times, the first left out. */
  public synchronized Map<WindowKey, Window> zones(long afterMillis, long untilMillis) {
    return between(zones, afterMillis, untilMillis);
  }

  private static Map<WindowKey, Window> between(
      Map<WindowKey, Window> windows, long after, long until) {
    Map<WindowKey, Window> found = new HashMap<>();
    windows.forEach(
        (key, window) -> {
          if (key.endMillis() > after && key.endMillis() <= until) {
            found.put(key, window);
          }
        });
    return found;
  }

  /** Up to where every window is closed: each machine has sent readings that are later. */
  public synchronized long closedMillis() {
    long slowest = lastMillis.values().stream().mapToLong(Long::longValue).min().orElse(0);
    long passed = slowest - WATERMARK_MILLIS - 1;
    return passed - Math.floorMod(passed, WINDOW_MILLIS);
  }

  /** How many machines have sent anything. */
  public synchronized int machineCount() {
    return lastMillis.size();
  }

  @Override
  public void close() {
    var _ = client.disconnect();
  }
}
