package io.sedge.center.store.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Columns, names and labels as JSON, which is how the store's own tables keep them. */
public final class Schemas {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Schemas() {}

  static String text(Schema schema) {
    return write(schema);
  }

  static Schema schema(String text) {
    return read(text, new TypeReference<Schema>() {});
  }

  static RollUp rollUp(String text) {
    return read(text, new TypeReference<RollUp>() {});
  }

  /** Names as text. */
  public static String text(List<? extends @Nullable String> names) {
    return write(names);
  }

  /** Names of a text. */
  public static List<String> names(String text) {
    return read(text, new TypeReference<List<String>>() {});
  }

  /** The values of a line's group. */
  static List<@Nullable String> values(String text) {
    return read(text, new TypeReference<List<@Nullable String>>() {});
  }

  /** Labels as text. */
  public static String text(Map<String, String> labels) {
    return write(labels);
  }

  /** Labels of a text. */
  public static Map<String, String> labels(String text) {
    return read(text, new TypeReference<Map<String, String>>() {});
  }

  private static <T> T read(String text, TypeReference<T> type) {
    try {
      return JSON.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("what the store has not written", e);
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
