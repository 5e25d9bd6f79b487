package io.sedge.simulator.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.simulator.SensorReading;
import io.sedge.simulator.SimulationReport;
import io.sedge.simulator.SimulationReport.SensorTotal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Knows what was sent and what has arrived at the broker. Any thread. */
public final class Audit {
  private final Map<String, SensorTotal> totals = new TreeMap<>();
  private long sent;
  private long acknowledged;
  private long failed;

  public synchronized void sent(SensorReading reading) {
    sent++;
    totals.putIfAbsent(reading.sensor(), new SensorTotal(0, 0));
  }

  /**
   * @param ok whether the broker has acknowledged it
   */
  public synchronized void done(SensorReading reading, boolean ok) {
    if (ok) {
      acknowledged++;
      totals.merge(
          reading.sensor(),
          new SensorTotal(1, reading.value()),
          (a, b) -> new SensorTotal(a.count() + b.count(), a.sum() + b.sum()));
    } else {
      failed++;
    }
  }

  public synchronized SimulationReport report(long obeyed, long refused, double seconds) {
    return new SimulationReport(sent, acknowledged, failed, obeyed, refused, seconds, totals);
  }

  /** Writes a report as JSON. */
  public static void write(SimulationReport report, Path file) throws IOException {
    try (OutputStream output = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(output).useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeNumberField("sent", report.sent());
      json.writeNumberField("acknowledged", report.acknowledged());
      json.writeNumberField("failed", report.failed());
      json.writeNumberField("commandsObeyed", report.commandsObeyed());
      json.writeNumberField("commandsRefused", report.commandsRefused());
      json.writeNumberField("simulatedSeconds", report.simulatedSeconds());
      json.writeObjectFieldStart("sensors");
      for (Map.Entry<String, SensorTotal> entry : new TreeMap<>(report.sensors()).entrySet()) {
        json.writeObjectFieldStart(entry.getKey());
        json.writeNumberField("count", entry.getValue().count());
        json.writeNumberField("sum", entry.getValue().sum());
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }
}
