package io.sedge.bench.connectors;

import io.sedge.bench.Table;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Modbus over TCP: a hundred slaves with a connection each, a hundred registers of each once a
 * second, every one of them a column whose value is looked at.
 */
final class ModbusBenchmark {
  private static final int SLAVES = 100;
  private static final int REGISTERS = 100;
  private static final int HEAP_MB = 128;
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private ModbusBenchmark() {}

  static Table measure(Programs programs, int rounds, Duration measured, PrintStream progress)
      throws IOException {
    try (SedgeProcess slaves =
        programs.java("modbus-slaves", ModbusSlaves.class, HEAP_MB, Integer.toString(SLAVES))) {
      String line = slaves.awaitLine(ModbusSlaves.SERVES);
      String ports = line.substring(ModbusSlaves.SERVES.length());
      return new SteadyTable(
              "Modbus, %d slaves of %d registers at 1 Hz".formatted(SLAVES, REGISTERS),
              "register",
              new SteadyRun.Plan(SLAVES * REGISTERS, false, WARM_UP, measured))
          .with("Sedge", name -> programs.run(name, script(ports)))
          .with(
              "bare client",
              name ->
                  programs.java(
                      name, ModbusClientBare.class, HEAP_MB, ports, Integer.toString(REGISTERS)))
          .measure(programs, rounds, progress);
    }
  }

  /** A row whose registers have other values than theirs does not count. */
  private static String script(String ports) {
    return """
    CREATE TABLE slaves (
      %s,
      ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
      WATERMARK FOR ts AS ts - INTERVAL '0.5' SECOND
    ) WITH ('connector' = 'modbus', 'url' = '%s',
      %s);
    SELECT COUNT(*) * %d AS n, window_end
    FROM TABLE(TUMBLE(TABLE slaves, DESCRIPTOR(ts), INTERVAL '1' SECOND))
    WHERE %s
    GROUP BY window_start, window_end;
    """
        .formatted(
            each("r%1$d INT", ", "),
            Arrays.stream(ports.split(",", -1))
                .map(port -> "modbus-tcp://127.0.0.1:" + port)
                .collect(Collectors.joining(";")),
            each("'fields.r%1$d.register' = 'holding:%1$d'", ", "),
            REGISTERS,
            each("r%1$d = %1$d", " AND "));
  }

  private static String each(String text, String between) {
    return IntStream.range(0, REGISTERS)
        .mapToObj(text::formatted)
        .collect(Collectors.joining(between));
  }
}
