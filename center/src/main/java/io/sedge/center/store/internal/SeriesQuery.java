package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.Series;
import io.sedge.center.store.Series.Line;
import io.sedge.center.store.Series.Point;
import io.sedge.center.store.SeriesRequest;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Type;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Down-samples values over time, in the database. Any thread. */
public final class SeriesQuery {
  private static final int MAX_LINES = 1_000;
  private static final Duration TIME = Duration.ofSeconds(30);

  private final Database database;
  private final TableList tables;

  public SeriesQuery(Database database, TableList tables) {
    this.database = database;
    this.tables = tables;
  }

  public Series run(SeriesRequest request) throws StoreException {
    TableShape shape = database.read(handle -> tables.shape(handle, request.table()));
    Type time = TableList.time(shape, request.timeColumn());
    Type value = TableList.type(shape, request.valueColumn());
    if (!value.kind().isNumeric()) {
      throw new StoreException(
          Reason.UNKNOWN_TABLE,
          "column %s of table %s is %s, not a number"
              .formatted(request.valueColumn(), shape.name(), value));
    }
    for (String column : request.groupBy()) {
      TableList.type(shape, column);
    }
    for (String column : request.filters().keySet()) {
      TableList.type(shape, column);
    }
    try (Connection connection = database.querier()) {
      connection.setAutoCommit(false);
      try {
        RollUp rollUp = shape.rollUp();
        return rollUp != null && RollUpQuery.answers(rollUp, request)
            ? RollUpQuery.run(connection, rollUp, request, MAX_LINES)
            : run(connection, request, time);
      } finally {
        Database.rollback(connection);
      }
    } catch (SQLException e) {
      throw database.failed(e);
    }
  }

  private Series run(Connection connection, SeriesRequest request, Type time)
      throws SQLException, StoreException {
    long from = request.from().toEpochMilli();
    long span = request.to().toEpochMilli() - from;
    long width = Math.max(1, Math.ceilDiv(span, request.points()));
    database.dialect().limit(connection, TIME.toMillis());
    try (PreparedStatement statement = connection.prepareStatement(text(request, from, width));
        Watch watch = Watch.over(statement, TIME)) {
      int at = 1;
      statement.setObject(
          at++, database.dialect().time(time, request.from()), database.dialect().timeType());
      statement.setObject(
          at++, database.dialect().time(time, request.to()), database.dialect().timeType());
      for (String filter : request.filters().values()) {
        statement.setString(at++, filter);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return read(rows, request, from, width);
      } catch (SQLException e) {
        watch.check(TIME, e);
        throw e;
      }
    }
  }

  private String text(SeriesRequest request, long from, long width) {
    String time = quote(request.timeColumn());
    String value = quote(request.valueColumn());
    String bucket = "(%s - %d) / %d".formatted(database.dialect().epochMillis(time), from, width);
    String groups =
        request.groupBy().stream()
            .map(column -> quote(column) + ", ")
            .collect(Collectors.joining());
    String filters =
        request.filters().keySet().stream()
            .map(column -> " AND CAST(%s AS TEXT) = ?".formatted(quote(column)))
            .collect(Collectors.joining());
    String positions =
        IntStream.rangeClosed(1, request.groupBy().size() + 1)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "));
    return ("SELECT %s%s AS bucket, min(%4$s), max(%4$s), avg(%4$s), count(%4$s) FROM %3$s"
            + " WHERE %5$s >= ? AND %5$s < ?%6$s AND %4$s IS NOT NULL GROUP BY %7$s ORDER BY %7$s")
        .formatted(groups, bucket, quote(request.table()), value, time, filters, positions);
  }

  private static Series read(ResultSet rows, SeriesRequest request, long from, long width)
      throws SQLException {
    int groups = request.groupBy().size();
    Map<List<@Nullable String>, List<Point>> lines = new LinkedHashMap<>();
    boolean complete = true;
    while (rows.next()) {
      List<@Nullable String> group = new ArrayList<>(groups);
      for (int i = 1; i <= groups; i++) {
        group.add(rows.getString(i));
      }
      List<Point> points = lines.get(group);
      if (points == null) {
        if (lines.size() == MAX_LINES) {
          complete = false;
          break;
        }
        points = new ArrayList<>();
        lines.put(group, points);
      }
      points.add(
          new Point(
              Instant.ofEpochMilli(from + rows.getLong(groups + 1) * width),
              rows.getDouble(groups + 2),
              rows.getDouble(groups + 3),
              rows.getDouble(groups + 4),
              rows.getLong(groups + 5)));
    }
    List<Line> result = new ArrayList<>();
    lines.forEach((group, points) -> result.add(new Line(group, points)));
    return new Series(Duration.ofMillis(width), result, complete);
  }
}
