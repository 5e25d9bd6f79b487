package io.sedge.connector.mqtt.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.mqtt.internal.Inbox.Delivery;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.mqtt.Incoming;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes rows of messages: columns from the topic, from the payload, and metadata. One thread. */
final class RowAssembler {
  /** Of topics of this many characters it is remembered what columns they give. */
  private static final int MAX_TOPIC_CHARACTERS = 1 << 20;

  /** A column and its value in a topic, a String or a Long. */
  private record Part(int column, Object value) {}

  /** A column that is not in the payload. */
  private record Metadata(int column, Key key) {}

  private enum Key {
    TOPIC,
    QOS,
    RETAINED,
    TIMESTAMP,
    CONTENT_TYPE
  }

  /** What a topic gives, or why it gives nothing. */
  private record Parts(List<Part> parts, @Nullable String problem) {}

  private final Schema schema;
  private final List<TopicPattern> patterns;
  private final RowDecoder decoder;
  private final BatchBuilder builder;
  private final Map<String, Parts> topics = new HashMap<>();
  private final List<Metadata> metadata = new ArrayList<>();
  private int topicCharacters;

  RowAssembler(TableDescriptor table, List<TopicPattern> patterns, RowDecoder decoder) {
    this.schema = table.schema();
    this.patterns = patterns;
    this.decoder = decoder;
    this.builder = new BatchBuilder(schema);
    table.metadata().forEach((column, key) -> metadata.add(new Metadata(column, key(key))));
  }

  private static Key key(String name) {
    return switch (name) {
      case "topic" -> Key.TOPIC;
      case "qos" -> Key.QOS;
      case "retained" -> Key.RETAINED;
      case "timestamp" -> Key.TIMESTAMP;
      case "content-type" -> Key.CONTENT_TYPE;
      default -> throw new IllegalArgumentException("unknown metadata key '%s'".formatted(name));
    };
  }

  /**
   * Adds the row of a message.
   *
   * @throws MalformedPayloadException if the topic or the payload cannot be read; then no row is
   *     added
   */
  void add(Delivery delivery) throws MalformedPayloadException {
    Incoming message = delivery.message;
    Parts parts = topics.get(message.topic());
    if (parts == null) {
      parts = split(message.topic());
      remember(message.topic(), parts);
    }
    if (parts.problem() != null) {
      throw new MalformedPayloadException(parts.problem());
    }
    try {
      decoder.decode(message.payload(), 0, message.payload().length, builder);
    } catch (MalformedPayloadException e) {
      builder.discardRow();
      throw e;
    }
    for (Part part : parts.parts()) {
      if (part.value() instanceof String text) {
        builder.column(part.column()).addString(text);
      } else {
        builder.column(part.column()).add(part.value());
      }
    }
    for (Metadata column : metadata) {
      addMetadata(builder.column(column.column()), column.key(), delivery);
    }
    builder.endRow();
  }

  private void remember(String topic, Parts parts) {
    if (topicCharacters + topic.length() > MAX_TOPIC_CHARACTERS) {
      topics.clear();
      topicCharacters = 0;
    }
    topics.put(topic, parts);
    topicCharacters += topic.length();
  }

  private static void addMetadata(ColumnBuilder column, Key key, Delivery delivery) {
    Incoming message = delivery.message;
    switch (key) {
      case TOPIC -> column.addString(message.topic());
      case QOS -> column.add(message.qos());
      case RETAINED -> column.addBoolean(message.retained());
      case TIMESTAMP -> column.addLong(delivery.arrivalMicros);
      case CONTENT_TYPE -> column.add(message.contentType());
    }
  }

  private Parts split(String topic) {
    for (TopicPattern pattern : patterns) {
      List<String> values = pattern.match(topic);
      if (values != null) {
        return parts(pattern, values);
      }
    }
    return new Parts(
        List.of(),
        "the topic fits none of the patterns of the table: the broker has an older subscription of"
            + " this 'client-id'");
  }

  private Parts parts(TopicPattern pattern, List<String> values) {
    List<Part> parts = new ArrayList<>(values.size());
    List<String> names = pattern.columns();
    for (int i = 0; i < names.size(); i++) {
      int column = schema.indexOf(names.get(i));
      String value = values.get(i);
      Kind kind = schema.type(column).kind();
      if (kind.isString()) {
        parts.add(new Part(column, value));
      } else {
        Long number = number(value, kind);
        if (number == null) {
          return new Parts(
              List.of(),
              "the topic has '%s' where column `%s` is %s"
                  .formatted(value, names.get(i), schema.type(column)));
        }
        parts.add(new Part(column, number));
      }
    }
    return new Parts(List.copyOf(parts), null);
  }

  private static @Nullable Long number(String text, Kind kind) {
    try {
      long value = Long.parseLong(text);
      boolean fits =
          switch (kind) {
            case TINYINT -> value == (byte) value;
            case SMALLINT -> value == (short) value;
            case INT -> value == (int) value;
            default -> true;
          };
      return fits ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  int rows() {
    return builder.rows();
  }

  Batch build() {
    return builder.build();
  }
}
