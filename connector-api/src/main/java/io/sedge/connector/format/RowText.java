package io.sedge.connector.format;

import io.sedge.engine.type.Schema;
import java.util.List;

/** Rows as texts for people, where the far end or a format takes none. */
public final class RowText {
  private RowText() {}

  /** {@code name TYPE = value, …}. */
  public static String of(Schema schema, List<?> values) {
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < schema.size(); column++) {
      text.append(column == 0 ? "" : ", ")
          .append(
              "%s %s = %s"
                  .formatted(
                      schema.name(column),
                      schema.type(column).withNullable(true),
                      values.get(column)));
    }
    return text.toString();
  }
}
