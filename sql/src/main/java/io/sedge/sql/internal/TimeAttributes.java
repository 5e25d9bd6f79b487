package io.sedge.sql.internal;

import io.sedge.engine.type.Schema;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Checks that what is laid over time is laid over a time attribute. */
final class TimeAttributes {
  private TimeAttributes() {}

  /**
   * Refuses a column that is not event time, saying what to write.
   *
   * @param clause how a column is named there, with {@code %s} for it
   */
  static void require(
      Relation input, int column, String operator, String clause, @Nullable SqlParserPos position) {
    ColumnRole role = input.roles().get(column);
    if (role.isEventTime()) {
      return;
    }
    Schema schema = input.node().schema();
    String name = schema.name(column);
    if (role.kind() == ColumnRole.Kind.PROCESSING_TIME) {
      throw new UnsupportedException(
          "%s is in event time, but `%s` is PROCTIME()".formatted(operator, name),
          "`%s` AS LOCALTIMESTAMP, WATERMARK FOR `%s` AS `%s` in CREATE TABLE"
              .formatted(name, name, name),
          position);
    }
    boolean timestamp = schema.type(column).kind().isTimestamp();
    throw new UnsupportedException(
        "%s needs a time attribute, but `%s` is %s"
            .formatted(
                operator,
                name,
                timestamp
                    ? "none: it has no watermark"
                    : schema.type(column).withNullable(true).toString()),
        remedy(input, name, timestamp, clause),
        position);
  }

  private static String remedy(Relation input, String name, boolean timestamp, String clause) {
    for (int other = 0; other < input.roles().size(); other++) {
      if (input.roles().get(other).isEventTime()) {
        return clause.formatted(input.node().schema().name(other)) + ", the time column";
      }
    }
    return timestamp
        ? ("WATERMARK FOR `%s` AS `%s` - INTERVAL '5' SECOND in CREATE TABLE, and pass the column"
                + " on unchanged")
            .formatted(name, name)
        : clause.formatted("ts")
            + ", where ts is a TIMESTAMP(3) or TIMESTAMP_LTZ(3) column with a WATERMARK";
  }
}
