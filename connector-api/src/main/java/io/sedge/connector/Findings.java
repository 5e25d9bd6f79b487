package io.sedge.connector;

import io.sedge.engine.type.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an {@link Explorer} has found. Names and texts are the far end's: whoever shows them has to
 * make them printable.
 *
 * @param title what was reached: {@code PostgreSQL at plant:5432/results}
 * @param headings of a list of what was found: what a name is, and then each fact
 * @param found at most 10,000, in the order of their names
 * @param leftOut how many there are more
 */
public record Findings(String title, List<String> headings, List<Found> found, long leftOut) {
  /** So many are found. */
  public static final int MOST = 10_000;

  public Findings {
    headings = List.copyOf(headings);
    found = List.copyOf(found);
  }

  /**
   * Something that a table can be of.
   *
   * @param facts as many as there are headings behind the name
   * @param options of a table that reads it, besides those of the connection
   */
  public record Found(
      String name, List<String> facts, Map<String, String> options, Content content) {
    public Found {
      facts = List.copyOf(facts);
      options = Map.copyOf(options);
    }
  }

  /** What it has. */
  public sealed interface Content {}

  /**
   * It was not looked at, or cannot be read.
   *
   * @param why for people; empty if it was only not looked at
   */
  public record Unread(String why) implements Content {}

  /**
   * Columns whose types are known.
   *
   * @param key the primary key, by the names of columns
   * @param leftOut what no column can be of, each with the reason
   */
  public record Columns(List<Column> columns, List<String> key, List<String> leftOut)
      implements Content {
    public Columns {
      columns = List.copyOf(columns);
      key = List.copyOf(key);
      leftOut = List.copyOf(leftOut);
    }
  }

  /** A column. */
  public record Column(String name, Type type) {}

  /**
   * Some of its records, whose format is not known.
   *
   * @param time the key of the metadata that says when a record was made
   * @param empty how many records without a value were looked at, besides
   */
  public record Records(List<Payload> records, String time, long empty) implements Content {
    public Records {
      records = List.copyOf(records);
    }
  }

  /** A record's key, if it has one, and its value. Of long values the beginning. */
  public static final class Payload {
    private final Optional<byte[]> key;
    private final byte[] value;

    public Payload(Optional<byte[]> key, byte[] value) {
      this.key = key.map(byte[]::clone);
      this.value = value.clone();
    }

    public Optional<byte[]> key() {
      return key.map(byte[]::clone);
    }

    public byte[] value() {
      return value.clone();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Payload payload
          && Arrays.equals(value, payload.value)
          && Arrays.equals(key.orElse(null), payload.key.orElse(null));
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Payload[%d bytes]".formatted(value.length);
    }
  }
}
