package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.PayloadShape.Column;
import java.util.List;

/** How some records are written, as far as all of them tell. */
sealed interface RecordFormat {
  /** For people. */
  String text();

  /**
   * Values are text: objects of JSON, numbers, or any.
   *
   * @param others how many records are not
   */
  record Text(PayloadShape shape, int others) implements RecordFormat {
    @Override
    public String text() {
      String format =
          switch (shape.kind()) {
            case JSON ->
                "JSON, %d %s"
                    .formatted(
                        shape.columns().size(), shape.columns().size() == 1 ? "column" : "columns");
            case NUMBER -> "numbers";
            case TEXT -> "text";
          };
      return others == 0 ? format : format + "; %d of those looked at are not".formatted(others);
    }
  }

  /** Values are lines of CSV. */
  record Csv(char delimiter, List<Column> columns) implements RecordFormat {
    public Csv {
      columns = List.copyOf(columns);
    }

    @Override
    public String text() {
      return "CSV, %d columns".formatted(columns.size());
    }
  }

  /**
   * Values are framed as Confluent's clients do it.
   *
   * @param schemas their numbers, as text
   */
  record Framed(Inner inner, String schemas) implements RecordFormat {
    /** What is in the frame. */
    enum Inner {
      AVRO("Avro"),
      PROTOBUF("Protobuf"),
      JSON("JSON");

      private final String title;

      Inner(String title) {
        this.title = title;
      }
    }

    @Override
    public String text() {
      return "%s with schema %s of a registry (Confluent)".formatted(inner.title, schemas);
    }
  }

  /** Values are no text, in a format that they do not tell. */
  record Binary() implements RecordFormat {
    @Override
    public String text() {
      return "no text; they do not tell their format";
    }
  }
}
