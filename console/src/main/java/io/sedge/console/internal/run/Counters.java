package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.console.internal.http.Json;
import io.sedge.task.JobCounters;
import io.sedge.task.ProcessMemory;
import io.sedge.task.SinkCounters;
import io.sedge.task.TableCounters;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@link JobCounters} as the page reads them, and what the process takes. */
record Counters(JobCounters counters, long atMillis) implements Json.Value {
  @Override
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("atMillis", atMillis);
    json.writeNumberField("elapsedMillis", counters.elapsed().toMillis());
    json.writeNumberField("readings", counters.readings());
    json.writeNumberField("rowsOut", counters.rowsOut());
    json.writeNumberField("late", counters.late());
    json.writeNumberField("malformed", counters.malformed());
    json.writeNumberField("dropped", counters.dropped());
    json.writeNumberField("commands", counters.commands());
    json.writeNumberField("bytesIn", counters.bytesIn());
    json.writeNumberField("bytesOut", counters.bytesOut());
    long micros = counters.watermarkMicros();
    if (micros != Long.MIN_VALUE && micros != Long.MAX_VALUE) {
      json.writeNumberField("watermarkMillis", TimeUnit.MICROSECONDS.toMillis(micros));
    }
    json.writeNumberField("cpuMillis", cpuMillis());
    json.writeNumberField("residentBytes", ProcessMemory.residentBytes());
    json.writeStringField("waits", counters.waits());
    json.writeObjectFieldStart("sources");
    for (Map.Entry<String, TableCounters> source : counters.sources().entrySet()) {
      json.writeFieldName(source.getKey());
      write(json, source.getValue());
    }
    json.writeEndObject();
    json.writeObjectFieldStart("rowsByTable");
    for (Map.Entry<String, SinkCounters> sink : counters.sinks().entrySet()) {
      json.writeNumberField(sink.getKey(), sink.getValue().rows());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, TableCounters table) throws IOException {
    json.writeStartObject();
    json.writeNumberField("readings", table.readings());
    json.writeNumberField("bytes", table.bytes());
    json.writeNumberField("malformed", table.malformed());
    json.writeNumberField("dropped", table.dropped());
    json.writeNumberField("silenceMillis", table.silence().toMillis());
    json.writeBooleanField("ended", table.ended());
    json.writeEndObject();
  }

  private static long cpuMillis() {
    return ProcessHandle.current().info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }
}
