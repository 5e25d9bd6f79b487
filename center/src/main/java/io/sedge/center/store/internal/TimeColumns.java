package io.sedge.center.store.internal;

import io.sedge.engine.type.Schema;
import java.util.Optional;

/** Which column of a table says when a row was. */
final class TimeColumns {
  private static final String WINDOW_END = "window_end";

  private TimeColumns() {}

  /** The end of its window, or the first timestamp. */
  static Optional<String> of(Schema schema) {
    int window = schema.indexOf(WINDOW_END);
    if (window >= 0 && schema.type(window).kind().isTimestamp()) {
      return Optional.of(WINDOW_END);
    }
    return schema.fields().stream()
        .filter(field -> field.type().kind().isTimestamp())
        .map(Schema.Field::name)
        .findFirst();
  }
}
