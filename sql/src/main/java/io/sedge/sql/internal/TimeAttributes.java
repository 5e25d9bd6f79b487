package io.sedge.sql.internal;

import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Checks that what is laid over time is laid over a time attribute. */
final class TimeAttributes {
  private TimeAttributes() {}

  /** Refuses a column that is not event time, saying which clause would make it so. */
  static void require(
      Relation input, int column, String operator, @Nullable SqlParserPos position) {
    ColumnRole role = input.roles().get(column);
    if (role.isEventTime()) {
      return;
    }
    String name = input.node().schema().name(column);
    if (role.kind() == ColumnRole.Kind.PROCESSING_TIME) {
      throw new UnsupportedException(
          "%s is in event time, but `%s` is PROCTIME()".formatted(operator, name),
          "`%s` AS LOCALTIMESTAMP, WATERMARK FOR `%s` AS `%s` in CREATE TABLE"
              .formatted(name, name, name),
          position);
    }
    throw new UnsupportedException(
        "%s needs a time attribute, but `%s` is none: it has no watermark"
            .formatted(operator, name),
        ("WATERMARK FOR `%s` AS `%s` - INTERVAL '5' SECOND in CREATE TABLE, and pass the column on"
                + " unchanged")
            .formatted(name, name),
        position);
  }
}
