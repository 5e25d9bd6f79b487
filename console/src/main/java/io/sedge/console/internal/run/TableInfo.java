package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.console.internal.http.Json;
import io.sedge.engine.plan.EventTime;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import io.sedge.sql.RowKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table whose rows are shown.
 *
 * @param query whether it is the result of a bare SELECT
 * @param updating whether its rows replace and remove earlier ones
 * @param keys the columns that say what a row is about
 * @param time the column that says when; null if none does
 */
record TableInfo(
    String name,
    boolean query,
    String connector,
    List<ColumnInfo> columns,
    boolean updating,
    List<String> keys,
    @Nullable String time,
    Schema schema)
    implements Json.Value {
  private static final List<String> WINDOW_TIMES = List.of("window_end", "window_start");

  /**
   * A column.
   *
   * @param type as SQL writes it
   * @param kind as {@link RowJson#kind} says
   */
  record ColumnInfo(String name, String type, String kind) implements Json.Value {
    @Override
    public void write(JsonGenerator json) throws IOException {
      json.writeStartObject();
      json.writeStringField("name", name);
      json.writeStringField("type", type);
      json.writeStringField("kind", kind);
      json.writeEndObject();
    }
  }

  @Override
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeBooleanField("query", query);
    json.writeStringField("connector", connector);
    Json.values(json, "columns", columns);
    json.writeBooleanField("updating", updating);
    Json.texts(json, "keys", keys);
    if (time != null) {
      json.writeStringField("time", time);
    }
    json.writeEndObject();
  }

  /** Those that a job writes, in the order of its script. */
  static List<TableInfo> of(Job job) {
    Map<String, TableInfo> tables = new LinkedHashMap<>();
    for (Plan.SinkNode node : job.plan().sinks()) {
      Job.SinkTable sink = job.sinks().get(node.table());
      if (sink != null) {
        tables.putIfAbsent(node.table(), of(sink, Optional.of(node)));
      }
    }
    job.sinks().forEach((name, sink) -> tables.putIfAbsent(name, of(sink, Optional.empty())));
    return List.copyOf(tables.values());
  }

  private static TableInfo of(Job.SinkTable sink, Optional<Plan.SinkNode> node) {
    Schema schema = sink.table().schema();
    List<Integer> keys = sink.table().primaryKey();
    if (keys.isEmpty() && node.isPresent()) {
      keys = RowKeys.of(node.get().input(), schema);
    }
    return new TableInfo(
        sink.table().name(),
        sink.connector().equals(Job.TERMINAL),
        sink.connector(),
        columns(schema),
        sink.updating(),
        keys.stream().map(schema::name).toList(),
        time(schema, node).orElse(null),
        schema);
  }

  static List<ColumnInfo> columns(Schema schema) {
    return schema.fields().stream()
        .map(
            field ->
                new ColumnInfo(field.name(), field.type().toString(), RowJson.kind(field.type())))
        .toList();
  }

  /** The event time if the rows have it, else the end of a window, else the first timestamp. */
  private static Optional<String> time(Schema schema, Optional<Plan.SinkNode> node) {
    List<String> candidates = new ArrayList<>();
    node.stream()
        .flatMap(sink -> EventTime.columns(sink.input()).stream())
        .sorted()
        .forEach(column -> candidates.add(schema.name(column)));
    candidates.addAll(WINDOW_TIMES);
    IntStream.range(0, schema.size())
        .filter(column -> schema.type(column).kind().isTimestamp())
        .forEach(column -> candidates.add(schema.name(column)));
    return candidates.stream()
        .filter(
            name ->
                schema.indexOf(name) >= 0 && schema.type(schema.indexOf(name)).kind().isTimestamp())
        .findFirst();
  }
}
