package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.Merges.NewParts;
import io.sedge.center.store.Merges.Target;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.RoundingMode;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** Reads rows back from the tables of results as the columns that they were sent in. Any thread. */
public final class PartRows {
  private static final int UNSEEN_AT_A_TIME = 5_000;
  private static final int FETCH_ROWS = 1_000;

  /** Of the texts of the parts of a window; they are in memory at once. */
  private static final long MAX_BYTES = 64L << 20;

  private static final int ROW_BYTES = 64;

  /** As both databases write one; PostgreSQL adds the offset of the connection's zone. */
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:mm:ss", "+00")
          .optionalEnd()
          .toFormatter();

  private final Database database;

  public PartRows(Database database) {
    this.database = database;
  }

  /** The parts of each stream that come after those that were looked at. */
  public List<NewParts> unseen(Target target, String timeColumn) throws StoreException {
    return database.read(
        handle -> {
          List<NewParts> unseen = new ArrayList<>();
          for (Seen stream : streams(handle, target)) {
            List<Long> times = new ArrayList<>();
            long last = times(handle, target.partsTable(), timeColumn, stream, times);
            if (last > stream.seen()) {
              unseen.add(new NewParts(stream.id(), stream.site(), stream.seen(), last, times));
            }
          }
          return unseen;
        });
  }

  private record Seen(long id, String site, long seen) {}

  private static List<Seen> streams(Handle handle, Target target) {
    return handle
        .createQuery(
            "SELECT s.id, s.site, coalesce(m.seen, 0) FROM sedge_stream s LEFT JOIN"
                + " sedge_merge_stream m ON m.stream = s.id AND m.job = :job AND m.sink = :sink"
                + " WHERE s.result_table = :table AND ((s.generation * :generation) + s.applied) >"
                + " coalesce(m.seen, 0)")
        .bind("generation", 1L << BlockWriter.GENERATION_SHIFT)
        .bind("job", target.job())
        .bind("sink", target.sink())
        .bind("table", target.partsTable())
        .map((row, _) -> new Seen(row.getLong(1), row.getString(2), row.getLong(3)))
        .list();
  }

  /** Adds the times of parts and gives the sequence of the last. */
  private static long times(
      Handle handle, String table, String timeColumn, Seen stream, List<Long> times)
      throws SQLException {
    long last = stream.seen();
    try (PreparedStatement statement =
        handle
            .getConnection()
            .prepareStatement(
                "SELECT \"_seq\", %s FROM %s WHERE \"_stream\" = ? AND \"_seq\" > ? ORDER BY"
                        .formatted(quote(timeColumn), quote(table))
                    + " \"_seq\" LIMIT "
                    + UNSEEN_AT_A_TIME)) {
      statement.setLong(1, stream.id());
      statement.setLong(2, stream.seen());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          last = rows.getLong(1);
          String time = rows.getString(2);
          if (time != null) {
            times.add(timestamp(time));
          }
        }
      }
    }
    return last;
  }

  /**
   * All parts between two times.
   *
   * @throws StoreException QUERY_ENDED if they are too many to be in memory
   */
  public List<Batch> between(String table, Schema schema, int timeColumn, long from, long to)
      throws StoreException {
    Type time = schema.type(timeColumn);
    String sql =
        "SELECT %s FROM %s WHERE %3$s >= %4$s AND %3$s < %5$s"
            .formatted(
                schema.names().stream().map(Dialect::quote).collect(Collectors.joining(", ")),
                quote(table),
                quote(schema.name(timeColumn)),
                literal(time, from),
                literal(time, to));
    return database.read(
        handle -> {
          try (PreparedStatement statement = handle.getConnection().prepareStatement(sql)) {
            statement.setFetchSize(FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery()) {
              return batches(table, schema, rows);
            }
          }
        });
  }

  private String literal(Type time, long micros) {
    Dialect dialect = database.dialect();
    return dialect.timeLiteral(
        time,
        dialect.time(
            time, java.time.Instant.EPOCH.plus(micros, ChronoUnit.MICROS)));
  }

  private static List<Batch> batches(String table, Schema schema, ResultSet rows)
      throws SQLException, StoreException {
    List<Batch> batches = new ArrayList<>();
    BatchBuilder builder = new BatchBuilder(schema);
    long bytes = 0;
    while (rows.next()) {
      bytes += ROW_BYTES;
      for (int i = 0; i < schema.size(); i++) {
        bytes += add(rows, i + 1, schema.type(i), builder.column(i));
      }
      builder.endRow();
      if (bytes > MAX_BYTES) {
        throw new StoreException(
            Reason.QUERY_ENDED,
            "a window has parts of more than %d MB in table %s: take shorter windows, or fewer keys"
                .formatted(MAX_BYTES >> 20, table));
      }
      if (builder.isFull()) {
        batches.add(builder.build());
      }
    }
    if (builder.rows() > 0) {
      batches.add(builder.build());
    }
    return batches;
  }

  /** Adds a value and says what it takes beside its row. */
  private static int add(ResultSet rows, int index, Type type, ColumnBuilder column)
      throws SQLException {
    if (rows.getObject(index) == null) {
      column.addNull();
      return 0;
    }
    switch (type.kind()) {
      case BOOLEAN -> column.addBoolean(rows.getBoolean(index));
      case TINYINT, SMALLINT, INT, INTERVAL_YEAR_MONTH -> column.addInt(rows.getInt(index));
      case BIGINT, INTERVAL_DAY_TIME -> column.addLong(rows.getLong(index));
      case FLOAT -> column.addFloat(rows.getFloat(index));
      case DOUBLE -> column.addDouble(rows.getDouble(index));
      case DECIMAL ->
          column.addDecimal(
              rows.getBigDecimal(index).setScale(type.scale(), RoundingMode.HALF_UP));
      case DATE -> column.addInt((int) LocalDate.parse(rows.getString(index)).toEpochDay());
      case TIME ->
          column.addInt(LocalTime.parse(rows.getString(index)).get(ChronoField.MILLI_OF_DAY));
      case TIMESTAMP, TIMESTAMP_LTZ -> column.addLong(timestamp(rows.getString(index)));
      case CHAR, VARCHAR -> {
        String text = rows.getString(index);
        column.addString(text);
        return text.length();
      }
      case ARRAY, ROW, NULL ->
          throw new IllegalArgumentException("parts of windows have no keys of " + type);
    }
    return 0;
  }

  private static long timestamp(String text) {
    TemporalAccessor parsed = TIMESTAMP.parse(text);
    int offset =
        parsed.isSupported(ChronoField.OFFSET_SECONDS)
            ? parsed.get(ChronoField.OFFSET_SECONDS)
            : 0;
    return ChronoUnit.MICROS.between(
        LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC),
        LocalDateTime.from(parsed).minusSeconds(offset));
  }
}
