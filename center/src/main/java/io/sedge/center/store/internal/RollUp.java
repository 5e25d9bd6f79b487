package io.sedge.center.store.internal;

import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the numbers of a table, so that a month of them is drawn at once: least,
 * greatest, total and count of ten minutes, for each combination of the site and the strings of a
 * row. It is written with the rows, in one transaction.
 *
 * <p>A table has one if its rows do not replace each other and have a time. It loses it for good
 * when it gets another column of strings, or more combinations than {@link #MAX_SERIES}; from then
 * on its rows themselves are asked.
 *
 * @param time the column that says when a row was
 * @param groups the site's column and those of strings
 */
record RollUp(String time, List<String> groups) {
  /** The time that is one. */
  static final long BUCKET_MILLIS = 600_000;

  /** How many lines of a column a table may have. */
  static final int MAX_SERIES = 10_000;

  RollUp {
    groups = List.copyOf(groups);
  }

  /** What a new table gets. */
  static @Nullable RollUp of(Schema schema, List<String> key) {
    Optional<String> time = TimeColumns.of(schema);
    if (time.isEmpty() || !key.isEmpty()) {
      return null;
    }
    List<String> groups = new ArrayList<>(List.of(TableNames.SITE));
    for (Schema.Field field : schema.fields()) {
      if (isGroup(field)) {
        groups.add(field.name());
      }
    }
    return new RollUp(time.get(), groups);
  }

  private static boolean isGroup(Schema.Field field) {
    return field.type().kind().isString();
  }

  /** Whether it still says all of a table that has other columns now. */
  boolean fits(Schema schema) {
    return schema.fields().stream()
        .filter(RollUp::isGroup)
        .allMatch(field -> groups.contains(field.name()));
  }
}
