package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.sql.PlanGraph;
import java.io.IOException;
import java.util.Locale;

/** A job's plan, as the page draws it. */
public record Graph(PlanGraph plan) implements Json.Value {
  @Override
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("nodes");
    for (PlanGraph.Node node : plan.nodes()) {
      write(json, node);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("edges");
    for (PlanGraph.Edge edge : plan.edges()) {
      json.writeArray(new String[] {edge.from(), edge.to()}, 0, 2);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, PlanGraph.Node node) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", node.id());
    json.writeStringField("kind", node.kind().name().toLowerCase(Locale.ROOT));
    json.writeStringField("title", node.title());
    Json.texts(json, "detail", node.detail());
    if (node.kind() != PlanGraph.Kind.OPERATOR) {
      json.writeStringField("table", node.title());
    }
    json.writeEndObject();
  }
}
