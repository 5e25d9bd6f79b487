package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.Merges;
import io.sedge.center.store.Merges.NewParts;
import io.sedge.center.store.Merges.SiteParts;
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
import java.time.Instant;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/** Reads rows back from the tables of results as the columns that they were sent in. Any thread. */
public final class PartRows {
  private static final int FETCH_ROWS = 1_000;

  /** Of the texts of the parts of a window; they are in memory at once. */
  private static final long MAX_BYTES = 64L << 20;

  private static final int ROW_BYTES = 64;
  private static final int INDEX_DIGITS = 16;

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
  public List<NewParts> unseen(Target target, String timeColumn, int limit) throws StoreException {
    return database.read(
        handle -> {
          List<NewParts> unseen = new ArrayList<>();
          for (Seen stream : streams(handle, target)) {
            List<Long> times = new ArrayList<>();
            long last = times(handle, target.partsTable(), timeColumn, limit, stream, times);
            if (last > stream.seen()) {
              unseen.add(new NewParts(stream.id(), last, times));
            }
          }
          return unseen;
        });
  }

  private record Seen(long id, long seen) {}

  private static List<Seen> streams(Handle handle, Target target) {
    return handle
        .createQuery(
            "SELECT s.id, coalesce(m.seen, 0) FROM sedge_stream s LEFT JOIN"
                + " sedge_merge_stream m ON m.stream = s.id AND m.job = :job AND m.sink = :sink"
                + " WHERE s.result_table = :table AND s.job = :job AND ((s.generation *"
                + " :generation) + s.applied) > coalesce(m.seen, 0)")
        .bind("generation", 1L << BlockWriter.GENERATION_SHIFT)
        .bind("job", target.job())
        .bind("sink", target.sink())
        .bind("table", target.partsTable())
        .map((row, _) -> new Seen(row.getLong(1), row.getLong(2)))
        .list();
  }

  /** Adds the times of parts and gives the sequence of the last. */
  private static long times(
      Handle handle, String table, String timeColumn, int limit, Seen stream, List<Long> times)
      throws SQLException {
    long last = stream.seen();
    try (PreparedStatement statement =
        handle
            .getConnection()
            .prepareStatement(
                "SELECT \"_seq\", %s FROM %s WHERE \"_stream\" = ? AND \"_seq\" > ? ORDER BY"
                        .formatted(quote(timeColumn), quote(table))
                    + " \"_seq\" LIMIT "
                    + limit)) {
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
   * The parts of a job between two times, site by site. Of a slice of time that a site has sent in
   * several generations those of the last one.
   *
   * @throws StoreException QUERY_ENDED if they are too many to be in memory
   */
  public List<SiteParts> between(
      Target target, Schema schema, int timeColumn, long from, long to, LongUnaryOperator slice)
      throws StoreException {
    Type time = schema.type(timeColumn);
    String sql =
        "SELECT %s, \"_site\", \"_seq\" FROM %s WHERE \"_job\" = ? AND %3$s >= %4$s AND %3$s < %5$s"
                .formatted(
                    names(schema.names()),
                    quote(target.partsTable()),
                    quote(schema.name(timeColumn)),
                    literal(time, from),
                    literal(time, to))
            + " ORDER BY \"_site\", \"_seq\"";
    return database.read(
        handle -> {
          try (PreparedStatement statement = handle.getConnection().prepareStatement(sql)) {
            statement.setString(1, target.job());
            statement.setFetchSize(FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery()) {
              return bySite(target.partsTable(), schema, timeColumn, slice, rows);
            }
          }
        });
  }

  private static String names(List<String> columns) {
    return columns.stream().map(Dialect::quote).collect(Collectors.joining(", "));
  }

  private static List<SiteParts> bySite(
      String table, Schema schema, int timeColumn, LongUnaryOperator slice, ResultSet rows)
      throws SQLException, StoreException {
    List<SiteParts> parts = new ArrayList<>();
    Collected collected = new Collected(schema, timeColumn, slice);
    String site = "";
    long bytes = 0;
    while (rows.next()) {
      String of = rows.getString(schema.size() + 1);
      if (!of.equals(site) && !collected.isEmpty()) {
        parts.add(new SiteParts(site, collected.rows()));
        collected = new Collected(schema, timeColumn, slice);
      }
      site = of;
      bytes += ROW_BYTES + collected.add(rows, rows.getLong(schema.size() + 2));
      if (bytes > MAX_BYTES) {
        throw new StoreException(
            Reason.QUERY_ENDED,
            "a window has parts of more than %d MB in table %s: take shorter windows, or fewer keys"
                .formatted(MAX_BYTES >> 20, table));
      }
    }
    if (!collected.isEmpty()) {
      parts.add(new SiteParts(site, collected.rows()));
    }
    return parts;
  }

  /** Parts of one site, in the order in which they came. */
  private static final class Collected {
    private final Schema schema;
    private final int timeColumn;
    private final LongUnaryOperator slice;
    private final BatchBuilder builder;
    private final List<Long> slices = new ArrayList<>();
    private final List<Long> generations = new ArrayList<>();
    private final Map<Long, Long> last = new HashMap<>();

    Collected(Schema schema, int timeColumn, LongUnaryOperator slice) {
      this.schema = schema;
      this.timeColumn = timeColumn;
      this.slice = slice;
      this.builder = new BatchBuilder(schema);
    }

    boolean isEmpty() {
      return slices.isEmpty();
    }

    /** Adds a part and says what it takes beside its row. */
    long add(ResultSet rows, long sequence) throws SQLException {
      long bytes = 0;
      for (int i = 0; i < schema.size(); i++) {
        bytes += PartRows.add(rows, i + 1, schema.type(i), builder.column(i));
      }
      builder.endRow();
      long of = slice.applyAsLong(timestamp(rows.getString(timeColumn + 1)));
      long generation = sequence >> BlockWriter.GENERATION_SHIFT;
      slices.add(of);
      generations.add(generation);
      last.merge(of, generation, Math::max);
      return bytes;
    }

    Batch rows() {
      int[] counted =
          IntStream.range(0, slices.size())
              .filter(i -> generations.get(i).equals(last.get(slices.get(i))))
              .toArray();
      return builder.build().gather(counted, counted.length);
    }
  }

  /** The keys of the rows that the center has of a window. */
  public Set<List<Object>> keys(
      Target target,
      String table,
      Schema schema,
      List<Integer> key,
      int windowColumn,
      long windowValue)
      throws StoreException {
    String sql =
        "SELECT %s FROM %s WHERE \"_site\" = ? AND \"_job\" = ? AND %s = %s"
            .formatted(
                names(key.stream().map(schema::name).toList()),
                quote(table),
                quote(schema.name(windowColumn)),
                literal(schema.type(windowColumn), windowValue));
    Schema ofKey = new Schema(key.stream().map(schema.fields()::get).toList());
    return database.read(
        handle -> {
          try (PreparedStatement statement = handle.getConnection().prepareStatement(sql)) {
            statement.setString(1, Merges.CENTER);
            statement.setString(2, target.job());
            try (ResultSet rows = statement.executeQuery()) {
              BatchBuilder builder = new BatchBuilder(ofKey);
              while (rows.next()) {
                for (int i = 0; i < ofKey.size(); i++) {
                  var _ = add(rows, i + 1, ofKey.type(i), builder.column(i));
                }
                builder.endRow();
              }
              Batch batch = builder.build();
              Set<List<Object>> keys = new HashSet<>();
              for (int row = 0; row < batch.rows(); row++) {
                keys.add(List.copyOf(batch.row(row)));
              }
              return keys;
            }
          }
        });
  }

  /** A statement that makes an index, if there is none. */
  public static String index(String table, String column) {
    String name = "sedge_window_" + Hashes.text(table + "\0" + column).substring(0, INDEX_DIGITS);
    return "CREATE INDEX IF NOT EXISTS %s ON %s (%s)"
        .formatted(quote(name), quote(table), quote(column));
  }

  private String literal(Type time, long micros) {
    Dialect dialect = database.dialect();
    return dialect.timeLiteral(
        time, dialect.time(time, Instant.EPOCH.plus(micros, ChronoUnit.MICROS)));
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
          column.addDecimal(rows.getBigDecimal(index).setScale(type.scale(), RoundingMode.HALF_UP));
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
        parsed.isSupported(ChronoField.OFFSET_SECONDS) ? parsed.get(ChronoField.OFFSET_SECONDS) : 0;
    return ChronoUnit.MICROS.between(
        LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC),
        LocalDateTime.from(parsed).minusSeconds(offset));
  }
}
