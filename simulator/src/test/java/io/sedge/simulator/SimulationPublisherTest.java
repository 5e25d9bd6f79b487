package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulationPublisherTest {
  private static final Instant START = Instant.parse("2026-03-01T06:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final List<String> log = new CopyOnWriteArrayList<>();

  private SimulationPublisher publisher(SimulationOptions options) {
    return new SimulationPublisher(options, InstantSource.fixed(START), log::add);
  }

  private static SimulationOptions options(
      String broker, double speed, Optional<Duration> duration, Optional<Path> audit) {
    return new SimulationOptions(
        Subject.PLANT,
        URI.create(broker),
        Optional.empty(),
        11,
        10,
        speed,
        duration,
        List.of(PlannedFault.parse("leak@2s..4s")),
        audit);
  }

  private static Mqtt5BlockingClient client(EmbeddedBroker broker) {
    Mqtt5BlockingClient client =
        MqttClient.builder()
            .useMqttVersion5()
            .serverHost("127.0.0.1")
            .serverPort(broker.port())
            .buildBlocking();
    client.connect();
    return client;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  // System tests compare a job's results with the audit: it must be exactly what was published.
  @Test
  void theAuditIsWhatASubscriberReceives() throws Exception {
    Path audit = directory.resolve("audit.json");
    Map<String, SimulationReport.SensorTotal> received = new ConcurrentHashMap<>();
    SimulationReport report;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      Mqtt5BlockingClient subscriber = client(broker);
      subscriber
          .toAsync()
          .subscribeWith()
          .topicFilter("plant/+/+/+")
          .qos(MqttQos.AT_LEAST_ONCE)
          .callback(publish -> note(publish, received))
          .send()
          .get();
      report =
          publisher(
                  options(
                      broker.url(), 20, Optional.of(Duration.ofSeconds(10)), Optional.of(audit)))
              .run();
      await(
          () ->
              received.values().stream().mapToLong(SimulationReport.SensorTotal::count).sum()
                  >= report.sent());
      subscriber.disconnect();
    }
    assertThat(report.failed()).isZero();
    assertThat(report.acknowledged()).isEqualTo(report.sent());
    assertThat(report.simulatedSeconds()).isCloseTo(10, within(0.03));
    assertThat(report.sensors())
        .hasSize(26)
        .allSatisfy((name, total) -> assertThat(total.count()).isBetween(99L, 100L));
    assertThat(received.keySet()).isEqualTo(report.sensors().keySet());
    received.forEach(
        (name, total) -> {
          assertThat(total.count()).isEqualTo(report.sensors().get(name).count());
          assertThat(total.sum()).isCloseTo(report.sensors().get(name).sum(), within(1e-6));
        });
    assertThat(log).anyMatch(line -> line.equals("leak of process/tank-1: 0.0 -> 1.0"));
    assertThat(log).anyMatch(line -> line.equals("leak of process/tank-1: 1.0 -> 0.0"));
    assertThat(Files.readString(audit))
        .contains("\"sent\" : " + report.sent())
        .contains("\"process/tank-1/level\" : {");
  }

  private static void note(
      Mqtt5Publish publish, Map<String, SimulationReport.SensorTotal> received) {
    Map<String, Double> members = members(publish.getPayloadAsBytes());
    assertThat(members).containsOnlyKeys("ts", "value", "seq");
    received.merge(
        publish.getTopic().toString().substring("plant/".length()),
        new SimulationReport.SensorTotal(1, members.get("value")),
        (a, b) -> new SimulationReport.SensorTotal(a.count() + b.count(), a.sum() + b.sum()));
  }

  private static Map<String, Double> members(byte[] payload) {
    Map<String, Double> members = new HashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(payload)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        members.put(name, parser.getDoubleValue());
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return members;
  }

  @Test
  void commandsFromTheBrokerAreObeyed() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      SimulationPublisher publisher =
          publisher(options(broker.url(), 1, Optional.empty(), Optional.empty()));
      CompletableFuture<SimulationReport> running = start(publisher);
      await(() -> log.stream().anyMatch(line -> line.startsWith("connected to")));
      Mqtt5BlockingClient operator = client(broker);
      // Until the subscription stands a command finds nobody.
      await(
          () -> {
            send(operator, "plant/process/pump-2/set/speed", "1800.5");
            return log.stream().anyMatch(line -> line.contains("process/pump-2/speed: 2610.0 ->"));
          });
      send(operator, "plant/process/pump-2/rate/vibration", "{\"why\": [1], \"value\": 100}");
      send(operator, "sim/fault/sensor-frozen/storage/tank-2/level", "on");
      send(operator, "sim/fault/stuck-valve", "{\"value\": true}");
      send(operator, "plant/process/tank-1/set/level", "nine");
      send(operator, "sim/fault/flood", "on");
      await(() -> log.stream().anyMatch(line -> line.contains("'flood'")));
      publisher.stop();
      SimulationReport report = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      operator.disconnect();
      assertThat(log)
          .contains(
              "process/pump-2/speed: 2610.0 -> 1800.5",
              "process/pump-2/vibration sampling rate: 10.0 -> 100.0",
              "sensor-frozen of storage/tank-2/level: 0.0 -> 1.0",
              "stuck-valve of process/valve-1: 0.0 -> 1.0",
              "refused: plant/process/tank-1/set/level: 'nine' is not a number, on or off, or"
                  + " {\"value\": …}",
              "refused: 'flood' is not one of " + Fault.list(Subject.PLANT));
      assertThat(report.commandsRefused()).isEqualTo(2);
      assertThat(report.commandsObeyed()).isGreaterThanOrEqualTo(4);
    }
  }

  private static void send(Mqtt5BlockingClient client, String topic, String payload) {
    client
        .publishWith()
        .topic(topic)
        .qos(MqttQos.AT_LEAST_ONCE)
        .payload(payload.getBytes(StandardCharsets.UTF_8))
        .send();
  }

  private static CompletableFuture<SimulationReport> start(SimulationPublisher publisher) {
    CompletableFuture<SimulationReport> result = new CompletableFuture<>();
    Thread.ofPlatform()
        .name("plant")
        .start(
            () -> {
              try {
                result.complete(publisher.run());
              } catch (IOException | InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  @Test
  void itStopsWhileTheBrokerIsAwayAndNoMoreReadingsFit() throws Exception {
    SimulationPublisher publisher;
    CompletableFuture<SimulationReport> running;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      publisher = publisher(options(broker.url(), 60, Optional.empty(), Optional.empty()));
      running = start(publisher);
      await(() -> log.stream().anyMatch(line -> line.contains("leak of process/tank-1")));
    }
    await(SimulationPublisherTest::somebodyWaitsForRoom);
    publisher.stop();
    SimulationReport report = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(report.acknowledged()).isLessThan(report.sent());
  }

  private static boolean somebodyWaitsForRoom() {
    return Thread.getAllStackTraces().values().stream()
        .map(stack -> Arrays.stream(stack).map(StackTraceElement::getMethodName).toList())
        .anyMatch(methods -> methods.contains("awaitRoom") && methods.contains("park"));
  }

  // What was not acknowledged before the broker went is sent again, and commands are heard again.
  @Test
  void aBrokerThatGoesAndComesBackLosesNothing() throws Exception {
    SimulationPublisher publisher;
    CompletableFuture<SimulationReport> running;
    int port;
    try (EmbeddedBroker first = EmbeddedBroker.builder().start()) {
      port = first.port();
      publisher = publisher(options(first.url(), 5, Optional.empty(), Optional.empty()));
      running = start(publisher);
      await(() -> log.stream().anyMatch(line -> line.contains("leak of process/tank-1")));
    }
    await(() -> log.stream().anyMatch(line -> line.contains("is away")));
    try (EmbeddedBroker second = EmbeddedBroker.builder().port(port).start()) {
      await(() -> log.stream().anyMatch(line -> line.startsWith("connected again")));
      Mqtt5BlockingClient operator = client(second);
      await(
          () -> {
            send(operator, "plant/process/tank-1/set/level", "1");
            return log.stream().anyMatch(line -> line.contains("tank-1/level: 1.5 -> 1.0"));
          });
      publisher.stop();
      SimulationReport report = running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      operator.disconnect();
      assertThat(report.failed()).isZero();
      assertThat(report.acknowledged()).isEqualTo(report.sent()).isGreaterThan(0);
    }
  }

  @Test
  void aBrokerThatIsNotThereIsToldAtOnce() {
    assertThatThrownBy(
            () ->
                publisher(options("mqtt://127.0.0.1:1", 1, Optional.empty(), Optional.empty()))
                    .run())
        .isInstanceOf(IOException.class)
        .hasMessage("mqtt://127.0.0.1:1: cannot connect: nobody listens there");
    assertThatThrownBy(() -> SimulationOptions.of(Subject.PLANT, URI.create("localhost:1883")))
        .hasMessage(
            "'localhost:1883' is not the address of a broker; write it as mqtt://localhost:1883");
  }
}
