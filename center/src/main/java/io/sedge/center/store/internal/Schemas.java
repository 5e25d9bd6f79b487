package io.sedge.center.store.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/** Columns, names and labels as JSON, which is how the store's own tables keep them. */
public final class Schemas {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Schemas() {}

  static String text(Schema schema) {
    return write(schema);
  }

  static Schema schema(String text) {
    try {
      return JSON.readValue(text, Schema.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("columns that the store has not written", e);
    }
  }

  static String text(List<String> names) {
    return write(names);
  }

  static List<String> names(String text) {
    try {
      return JSON.readValue(text, new TypeReference<List<String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("names that the store has not written", e);
    }
  }

  /** Labels as text. */
  public static String text(Map<String, String> labels) {
    return write(labels);
  }

  /** Labels of a text. */
  public static Map<String, String> labels(String text) {
    try {
      return JSON.readValue(text, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("labels that the store has not written", e);
    }
  }

  /** A value of an ARRAY or ROW column. */
  static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a value that has no JSON", e);
    }
  }
}
