package io.sedge.connector.mqtt.internal;

import io.sedge.connector.mqtt.internal.TopicPattern.Level;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.nio.charset.StandardCharsets;

/** Makes the topic of a row. One thread. */
final class TopicWriter {
  private static final int MAX_TOPIC_BYTES = 65_535;

  private final TopicPattern pattern;
  private final Schema schema;
  private final int[] columns;

  TopicWriter(TopicPattern pattern, Schema schema) {
    this.pattern = pattern;
    this.schema = schema;
    this.columns = pattern.columns().stream().mapToInt(schema::indexOf).toArray();
  }

  /**
   * The topic of a row.
   *
   * @throws IllegalArgumentException if a value cannot be part of a topic; the message says which
   */
  String topic(Batch batch, int row) {
    StringBuilder topic = new StringBuilder();
    int next = 0;
    boolean first = true;
    for (Level level : pattern.levels()) {
      if (!first) {
        topic.append('/');
      }
      first = false;
      switch (level) {
        case Level.Literal literal -> topic.append(literal.text());
        case Level.Column _ -> topic.append(value(batch, columns[next++], row));
        case Level.Fixed _, Level.Any _, Level.Rest _ ->
            throw new IllegalArgumentException("the pattern has a wildcard or is that of a shard");
      }
    }
    String text = topic.toString();
    if (text.isEmpty() || text.getBytes(StandardCharsets.UTF_8).length > MAX_TOPIC_BYTES) {
      throw new IllegalArgumentException(
          "the topic has %d characters; 1 to 65535 bytes are allowed".formatted(text.length()));
    }
    return text;
  }

  private String value(Batch batch, int column, int row) {
    Object value = batch.column(column).value(row);
    if (value == null) {
      throw new IllegalArgumentException(
          "column `%s`, a part of the topic, is NULL".formatted(schema.name(column)));
    }
    String text = value.toString();
    if (!TopicPattern.isPlain(text)) {
      throw new IllegalArgumentException(
          "column `%s` is '%s'; a part of a topic must not have + # / or NUL"
              .formatted(schema.name(column), text));
    }
    return text;
  }
}
