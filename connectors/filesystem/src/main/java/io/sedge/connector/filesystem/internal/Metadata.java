package io.sedge.connector.filesystem.internal;

import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Type;
import java.util.Map;

/** The metadata columns: what is known of the file that a row comes from. */
public final class Metadata {
  private static final String PATH = "file.path";
  private static final String NAME = "file.name";
  private static final String SIZE = "file.size";
  private static final String MODIFICATION_TIME = "file.modification-time";

  /** By key; Flink's keys and types. */
  public static final Map<String, Type> TYPES =
      Map.of(
          PATH, Type.STRING.notNull(),
          NAME, Type.STRING.notNull(),
          SIZE, Type.BIGINT.notNull(),
          MODIFICATION_TIME, Type.timestampLtz(3).notNull());

  private Metadata() {}

  /** Fills the metadata columns of the row at hand. */
  static void add(Map<Integer, String> columns, FoundFile file, BatchBuilder builder) {
    columns.forEach(
        (column, key) ->
            builder
                .column(column)
                .add(
                    switch (key) {
                      case PATH -> file.path().toString();
                      case NAME -> String.valueOf(file.path().getFileName());
                      case SIZE -> file.sizeBytes();
                      case MODIFICATION_TIME -> file.modifiedMs() * 1_000;
                      default -> throw new IllegalArgumentException(key);
                    }));
  }
}
