package io.sedge.connector.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Options;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Feed;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HostConnectorTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final Schema READ =
      Schema.builder()
          .add("ts", Type.timestampLtz(3))
          .add("quantity", Type.STRING)
          .add("kind", Type.STRING)
          .add("device", Type.STRING)
          .add("unit", Type.STRING)
          .add("reading", Type.DOUBLE)
          .add("host", Type.STRING)
          .build();

  private static final Schema WRITTEN =
      Schema.builder()
          .add("quantity", Type.STRING)
          .add("sampling_rate_hz", Type.DOUBLE)
          .add("reason", Type.STRING)
          .build();

  private final FakeProbe probe =
      new FakeProbe(
          Quantity.gauge("memory.used", "By"),
          Quantity.gauge("temperature", "Cel").atMost(1).of("cpu", "temperature.cpu"));
  private final Context context = new Context();
  private final HostConnectorFactory factory = new HostConnectorFactory(new FakeMachine(probe));

  private static TableDescriptor table(Schema schema, Map<String, String> options) {
    return new TableDescriptor(
        "sensors", schema, Map.of(), List.of(), List.of(), options, "machine.sql:1");
  }

  private SourceReader open(Map<String, String> options) {
    return factory.source(table(READ, options), context).orElseThrow().open();
  }

  /** Polls, sleeping until the reader wakes it, until there are enough rows. */
  private List<List<Object>> rows(SourceReader reader, int enough) throws InterruptedException {
    List<List<Object>> rows = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (rows.size() < enough) {
      Batch batch = reader.poll(System.nanoTime());
      if (batch == null) {
        boolean woken =
            context.wakeUps.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(woken).as("woken before the deadline; %d rows so far", rows.size()).isTrue();
      } else {
        for (int row = 0; row < batch.rows(); row++) {
          int r = row;
          rows.add(batch.columns().stream().map(column -> column.value(r)).toList());
        }
      }
    }
    return rows;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void readingsComeWithAllThatIsKnownOfThem() throws InterruptedException {
    probe.raw[0] = 1024;
    probe.raw[1] = 45.5;
    try (SourceReader reader = open(Map.of())) {
      List<List<Object>> rows = rows(reader, 2);
      long millis = NOON.toEpochMilli();
      assertThat(rows.subList(0, 2))
          .containsExactly(
              java.util.Arrays.asList(
                  millis * 1000, "memory.used", "memory.used", null, "By", 1024.0, "press-7"),
              List.of(
                  millis * 1000, "temperature.cpu", "temperature", "cpu", "Cel", 45.5, "press-7"));
      assertThat(reader.finished()).isFalse();
      assertThat(reader.counters().readings()).isEqualTo(rows.size());
      assertThat(reader.counters().dropped()).isZero();
    }
    assertThat(probe.closed).isTrue();
  }

  @Test
  void aCommandSetsTheRateOfItsQuantityAndSaysSo() throws InterruptedException {
    Feed sink = Feed.open(factory.sink(table(WRITTEN, Map.of()), context).orElseThrow());
    try (SourceReader reader = open(Map.of("sampling.rate", "1 Hz"))) {
      rows(reader, 2);
      assertThat(sink.offer(command("memory.used", 100.0, "odd"))).isTrue();
      assertThat(sink.flush()).isTrue();
      assertThat(context.reports)
          .containsExactly("INFO sampling rate of memory.used: 1 Hz -> 100 Hz (odd)");
      // At 1 Hz thirty of them would take longer than one has patience.
      assertThat(rows(reader, 30))
          .extracting(row -> row.get(1))
          .filteredOn("memory.used"::equals)
          .hasSizeGreaterThan(25);
    }
  }

  @Test
  void whatCannotBeObeyedIsReported() {
    Feed sink = Feed.open(factory.sink(table(WRITTEN, Map.of()), context).orElseThrow());
    sink.offer(command("memory.used", 100.0, "odd"));
    try (SourceReader reader = open(Map.of())) {
      sink.offer(command("memory.usd", 100.0, "odd"));
      sink.offer(command("temperature.cpu", 100.0, null));
      sink.offer(command(null, 100.0, null));
      sink.offer(command("memory.used", null, null));
      assertThat(reader.finished()).isFalse();
    }
    assertThat(context.reports)
        .containsExactly(
            "WARNING table sensors: the sampling rate of 'memory.used' cannot be set, it is not"
                + " read; no table of the connector 'host' is read here",
            "WARNING table sensors: the sampling rate of 'memory.usd' cannot be set, it is not"
                + " read; did you mean 'memory.used'?",
            "INFO sampling rate of temperature.cpu: 1 Hz -> 1 Hz",
            "WARNING table sensors: 100 Hz was asked for, but temperature.cpu takes from 0.1 Hz to"
                + " 1 Hz",
            "WARNING table sensors: a command without a quantity or rate was ignored: null, 100.0",
            "WARNING table sensors: a command without a quantity or rate was ignored: memory.used,"
                + " null");
  }

  private static Batch command(String quantity, Double hertz, String reason) {
    return new BatchBuilder(WRITTEN).addRow(quantity, hertz, reason).build();
  }

  // Slowing the source down is the first thing to do under overload; its readings must not pile up.
  @Test
  void aJobThatDoesNotPollMakesSamplingPauseAndLosesNothingThatWasRead()
      throws InterruptedException {
    FakeProbe many =
        new FakeProbe(
            java.util.stream.IntStream.range(0, 4_000)
                .mapToObj(i -> Quantity.gauge("q" + i, "1"))
                .toArray(Quantity[]::new));
    Sampler sampler = new Sampler(List.of(many), new Selection("*", ""), quantity -> 100, 100);
    try (HostReader reader =
        new HostReader("sensors", READ, "press-7", sampler, context, new RateRegistry()).start()) {
      await(() -> !context.reports.isEmpty());
      int looks = many.looks.get();
      assertThat(looks).isEqualTo(HostReader.CAPACITY / 4_000);
      assertThat(context.reports.getFirst())
          .startsWith("WARNING table sensors: 16384 readings wait for the job");
      assertThat(rows(reader, looks * 4_000)).hasSizeGreaterThanOrEqualTo(looks * 4_000);
      await(() -> many.looks.get() > looks);
    }
  }

  @Test
  void aFailureWhileSamplingReachesTheJob() throws InterruptedException {
    FakeProbe broken = new FakeProbe(Quantity.gauge("q", "1"));
    Sampler sampler = new Sampler(List.of(broken), new Selection("*", ""), quantity -> 100, 100);
    Context noClock =
        new Context() {
          @Override
          public InstantSource clock() {
            throw new IllegalStateException("the clock stands still");
          }
        };
    try (HostReader reader =
        new HostReader("sensors", READ, "press-7", sampler, noClock, new RateRegistry()).start()) {
      assertThat(noClock.wakeUps.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> reader.poll(0))
          .isInstanceOf(ConnectorException.class)
          .hasMessage(
              "table sensors: reading the sensors has failed: java.lang.IllegalStateException: the"
                  + " clock stands still");
    }
  }

  @Test
  void columnsThatAreNotKnownAreRefusedWithWhatMayHaveBeenMeant() {
    Schema wrong =
        Schema.builder()
            .add("quantty", Type.STRING)
            .add("weather", Type.STRING)
            .add("reading", Type.INT)
            .add("device", Type.STRING.notNull())
            .build();
    assertThatThrownBy(() -> factory.source(table(wrong, Map.of()), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(
            "table sensors, read from the connector 'host': column `quantty` is unknown; did you"
                + " mean `quantity`?; column `weather` is unknown; known are quantity STRING, kind"
                + " STRING, device STRING, unit STRING, reading DOUBLE, ts TIMESTAMP_LTZ(3), host"
                + " STRING; column `reading` is INT and has to be DOUBLE; column `device` cannot be"
                + " NOT NULL: `memory.used` has none");
    Schema command = Schema.builder().add("quantity", Type.STRING).build();
    assertThatThrownBy(() -> factory.sink(table(command, Map.of()), context))
        .hasMessage(
            "table sensors, a command to the connector 'host': column `sampling_rate_hz` is"
                + " missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sampling.rate      | fast   | is not a sampling rate; write it as 10 Hz or 100 ms
          sampling.rate      | 500 Hz | is not between 0.1 Hz and 100 Hz; 'max.sampling.rate' sets the upper limit
          sampling.rate.disk | 1 min  | is not between 0.1 Hz and 100 Hz; 'max.sampling.rate' sets the upper limit
          max.sampling.rate  | 5000 Hz | is more than 1000 Hz
          """)
  void wrongOptionsAreToldWithWhatIsAllowed(String key, String value, String why) {
    assertThatThrownBy(() -> factory.source(table(READ, Map.of(key, value)), context))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("table sensors: '%s' = '%s' %s".formatted(key, value, why));
  }

  @Test
  void aSelectionThatLeavesNothingSaysWhatThereIs() {
    assertThatThrownBy(() -> open(Map.of("quantities", "gpu.*")))
        .hasMessage(
            "table sensors: 'quantities' = 'gpu.*' leaves nothing to read; this machine has"
                + " memory.used, temperature.cpu");
  }

  @Test
  void ratesCanDifferByPrefixAndTheLongestPrefixHolds() {
    InitialRates rates = new InitialRates(10);
    rates.add("disk", 1);
    rates.add("disk.sda", 2);
    assertThat(rates.applyAsDouble(Quantity.gauge("disk.sdb.read", "By/s"))).isEqualTo(1);
    assertThat(rates.applyAsDouble(Quantity.gauge("disk.sda.read", "By/s"))).isEqualTo(2);
    assertThat(rates.applyAsDouble(Quantity.gauge("diskette", "1"))).isEqualTo(10);
  }

  @Test
  void itsOptionsAreDeclared() {
    assertThat(
            Options.problems(
                "sensors",
                factory.options(),
                Map.of("sampling.rate", "10 Hz", "sampling.rate.disk", "1 Hz", "quantites", "cpu")))
        .hasSize(1)
        .allMatch(problem -> problem.contains("did you mean 'quantities'?"));
  }

  /** The whole way, on whatever machine this is. */
  @Test
  void thisMachineCanBeRead() throws InterruptedException {
    HostConnectorFactory real =
        (HostConnectorFactory)
            ServiceLoader.load(ConnectorFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("host"))
                .findFirst()
                .orElseThrow();
    try (SourceReader reader =
        real.source(table(READ, Map.of("sampling.rate", "50 Hz")), context).orElseThrow().open()) {
      List<List<Object>> rows = rows(reader, 500);
      assertThat(rows).extracting(row -> row.get(1)).contains("cpu.load", "memory.used");
      assertThat(rows)
          .filteredOn(row -> row.get(1).equals("cpu.load"))
          .allSatisfy(row -> assertThat((Double) row.get(5)).isBetween(0.0, 100.0));
      assertThat(rows)
          .filteredOn(row -> row.get(1).equals("memory.used"))
          .allSatisfy(row -> assertThat((Double) row.get(5)).isBetween(1e6, 1e14));
    }
  }

  /** A class that a sensor library lacks, say: the job must not go on without its readings. */
  @Test
  void anErrorWhileSamplingFailsTheJob() throws InterruptedException {
    probe.error = new NoClassDefFoundError("com/example/Sensor");
    try (SourceReader reader = open(Map.of())) {
      assertThat(context.wakeUps.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThatThrownBy(() -> reader.poll(System.nanoTime())).isSameAs(probe.error);
    }
  }

  /** Remembers what it is told. */
  private static class Context implements ConnectorContext {
    final List<String> reports = new CopyOnWriteArrayList<>();
    final Semaphore wakeUps = new Semaphore(0);

    @Override
    public InstantSource clock() {
      return InstantSource.fixed(NOON);
    }

    @Override
    public Path directory() {
      return Path.of("");
    }

    @Override
    public void wakeUp() {
      wakeUps.release();
    }

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {
      reports.add("MALFORMED " + table + " " + origin + " " + reason);
    }

    @Override
    public void report(Severity severity, String message) {
      reports.add(severity + " " + message);
    }
  }
}
