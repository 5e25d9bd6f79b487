package io.sedge.connector.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A counterpart that others have written, in each of the three ways to reach one. */
final class PymodbusTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("first", Type.INT)
          .add("pair", Type.BIGINT)
          .add("input", Type.DOUBLE)
          .add("coil", Type.BOOLEAN)
          .add("contact", Type.BOOLEAN)
          .add("bit", Type.BOOLEAN)
          .add("unit", Type.INT)
          .build();

  private final TestContext context = TestContext.live(Path.of(""));
  @TempDir Path directory;

  private SourceReader read(Pymodbus device, Map<String, String> more) {
    Map<String, String> options =
        new HashMap<>(
            Map.of(
                "url", device.url(),
                "units", "1;2",
                "poll-interval", "50 ms",
                "reconnect.min-delay", "50 ms",
                "fields.first.register", "holding:0",
                "fields.pair.register", "holding:1:uint32:le-swap",
                "fields.input.register", "input:9",
                "fields.coil.register", "coil:3"));
    options.put("fields.input.scale", "0.1");
    options.put("fields.contact.register", "discrete:2");
    options.put("fields.bit.register", "holding:4.3");
    options.putAll(more);
    return new ModbusConnector()
        .source(Tables.table(SCHEMA, Map.of(6, "unit"), options), context)
        .orElseThrow()
        .open();
  }

  private static List<Object> row(int unit) {
    return List.of(100, (102L << 16) + 101, 10.9, true, false, true, unit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "rtu-tcp", "serial"})
  void registersOfAllKindsAreRead(String how) {
    try (Pymodbus device = Pymodbus.start(directory, how);
        SourceReader reader = read(device, Map.of())) {
      assertThat(new Drain(reader, context).next(4))
          .containsExactly(row(1), row(2), row(1), row(2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "rtu-tcp", "serial"})
  void aUnitThatIsNotThereIsSaidAndTheOthersGoOn(String how) {
    try (Pymodbus device = Pymodbus.start(directory, how);
        SourceReader reader = read(device, Map.of("units", "1;7", "request-timeout", "300 ms"))) {
      Drain drain = new Drain(reader, context);
      drain.pollUntil(
          "it is said",
          () -> context.reports().stream().anyMatch(report -> report.contains("unit 7 since")));
      assertThat(drain.next(3)).containsOnly(row(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "rtu-tcp", "serial"})
  void anAddressBeyondTheLastIsSaidWithItsMeaning(String how) {
    try (Pymodbus device = Pymodbus.start(directory, how);
        SourceReader reader = read(device, Map.of("fields.first.register", "holding:500"))) {
      new Drain(reader, context)
          .pollUntil(
              "it is said",
              () ->
                  context.reports().stream()
                      .anyMatch(
                          report ->
                              report.contains(
                                  "holding 500 is answered with exception 2, illegal data"
                                      + " address")));
    }
  }

  @Test
  void aDeviceThatIsKilledAndStartedAgainIsReadOn() {
    try (Pymodbus device = Pymodbus.start(directory, "tcp");
        SourceReader reader = read(device, Map.of())) {
      Drain drain = new Drain(reader, context);
      drain.next(2);
      device.kill();
      drain.pollUntil(
          "it is said",
          () ->
              context.reports().stream()
                  .anyMatch(report -> report.contains("gives nothing since")));
      device.startAgain();
      drain.pollUntil(
          "the gap is said",
          () -> context.reports().stream().anyMatch(report -> report.contains("answers again")));
      drain.next(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "rtu-tcp", "serial"})
  void whatIsWrittenIsReadBack(String how) {
    Schema written =
        Schema.builder()
            .add("speed", Type.DOUBLE)
            .add("mode", Type.INT)
            .add("on", Type.BOOLEAN)
            .add("off", Type.BOOLEAN)
            .build();
    try (Pymodbus device = Pymodbus.start(directory, how)) {
      Map<String, String> options =
          Map.of(
              "url", device.url(),
              "fields.speed.register", "holding:20:float64:le",
              "fields.mode.register", "holding:30",
              "fields.on.register", "coil:40",
              "fields.off.register", "coil:41");
      try (Feed feed =
          Feed.open(
              new ModbusConnector().sink(Tables.table(written, options), context).orElseThrow())) {
        feed.give(new BatchBuilder(written).addRow(21.5, 7, true, false).build());
        feed.give(new BatchBuilder(written).addRow(null, 8, null, null).build());
        feed.flushAll();
      }
      assertThat(context.malformed()).isEmpty();
      assertThat(context.reports()).isEmpty();
    }
  }
}
