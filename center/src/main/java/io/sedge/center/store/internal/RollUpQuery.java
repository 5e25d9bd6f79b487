package io.sedge.center.store.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.center.store.Series;
import io.sedge.center.store.Series.Line;
import io.sedge.center.store.Series.Point;
import io.sedge.center.store.SeriesRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws from a {@link RollUp}. Points begin at whole ten minutes, so the first may have values from
 * before what was asked for, and the last from after it.
 */
final class RollUpQuery {
  /** So many points are enough for a chart where its rows would take seconds. */
  private static final int ENOUGH_POINTS = 100;

  private RollUpQuery() {}

  /** Whether a roll-up can answer. */
  static boolean answers(RollUp rollUp, SeriesRequest request) {
    return rollUp.time().equals(request.timeColumn())
        && rollUp.groups().containsAll(request.groupBy())
        && rollUp.groups().containsAll(request.filters().keySet())
        && spanMillis(request) >= RollUp.BUCKET_MILLIS * Math.min(request.points(), ENOUGH_POINTS);
  }

  private static long spanMillis(SeriesRequest request) {
    return request.to().toEpochMilli() - request.from().toEpochMilli();
  }

  static Series run(Connection connection, RollUp rollUp, SeriesRequest request, int maxLines)
      throws SQLException {
    Map<Long, List<@Nullable String>> groups = groups(connection, rollUp, request);
    long from = Math.floorDiv(request.from().toEpochMilli(), RollUp.BUCKET_MILLIS);
    long to = Math.ceilDiv(request.to().toEpochMilli(), RollUp.BUCKET_MILLIS);
    long width = Math.ceilDiv(to - from, request.points());
    Map<List<@Nullable String>, TreeMap<Long, Point>> lines = new TreeMap<>(RollUpQuery::compare);
    boolean complete = true;
    Map<Long, TreeMap<Long, Point>> byId = new TreeMap<>();
    for (Map.Entry<Long, List<@Nullable String>> line : groups.entrySet()) {
      if (lines.size() < maxLines || lines.containsKey(line.getValue())) {
        byId.put(line.getKey(), lines.computeIfAbsent(line.getValue(), _ -> new TreeMap<>()));
      } else {
        complete = false;
      }
    }
    if (!byId.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(text(byId.keySet()))) {
        statement.setLong(1, from);
        statement.setLong(2, width);
        statement.setLong(3, from);
        statement.setLong(4, to);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            requireNonNull(byId.get(rows.getLong(1)))
                .merge(rows.getLong(2), point(rows, from, width), RollUpQuery::merge);
          }
        }
      }
    }
    List<Line> result = new ArrayList<>();
    lines.forEach(
        (group, points) -> {
          if (!points.isEmpty()) {
            result.add(new Line(group, List.copyOf(points.values())));
          }
        });
    return new Series(Duration.ofMillis(width * RollUp.BUCKET_MILLIS), result, complete);
  }

  /**
   * Asks for all lines at once: their ten minutes lie beside each other, so a statement for each
   * line would read the whole table once a line. Ids are numbers of this database.
   */
  private static String text(Set<Long> ids) {
    return "SELECT series, (bucket - ?) / ? AS point, min(least), max(greatest), sum(total),"
        + " sum(row_count) FROM sedge_rollup WHERE bucket >= ? AND bucket < ? AND series IN ("
        + ids.stream().map(String::valueOf).collect(Collectors.joining(", "))
        + ") GROUP BY 1, 2";
  }

  private static Point point(ResultSet rows, long from, long width) throws SQLException {
    long count = rows.getLong(6);
    return new Point(
        Instant.ofEpochMilli((from + rows.getLong(2) * width) * RollUp.BUCKET_MILLIS),
        rows.getDouble(3),
        rows.getDouble(4),
        rows.getDouble(5) / count,
        count);
  }

  private static Point merge(Point one, Point other) {
    long count = one.count() + other.count();
    return new Point(
        one.at(),
        Math.min(one.min(), other.min()),
        Math.max(one.max(), other.max()),
        (one.average() * one.count() + other.average() * other.count()) / count,
        count);
  }

  /** The lines that the filters leave, each with the group that it belongs to. */
  private static Map<Long, List<@Nullable String>> groups(
      Connection connection, RollUp rollUp, SeriesRequest request) throws SQLException {
    Map<Long, List<@Nullable String>> groups = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT id, group_values FROM sedge_rollup_series"
                + " WHERE result_table = ? AND value_column = ?")) {
      statement.setString(1, request.table());
      statement.setString(2, request.valueColumn());
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          List<@Nullable String> values = Schemas.values(rows.getString(2));
          boolean wanted =
              request.filters().entrySet().stream()
                  .allMatch(
                      filter ->
                          filter
                              .getValue()
                              .equals(values.get(rollUp.groups().indexOf(filter.getKey()))));
          if (wanted) {
            List<@Nullable String> group = new ArrayList<>();
            for (String column : request.groupBy()) {
              group.add(values.get(rollUp.groups().indexOf(column)));
            }
            groups.put(rows.getLong(1), group);
          }
        }
      }
    }
    return groups;
  }

  /** NULL comes first. */
  private static int compare(List<@Nullable String> one, List<@Nullable String> other) {
    for (int i = 0; i < one.size(); i++) {
      int order =
          Objects.compare(
              one.get(i), other.get(i), Comparator.nullsFirst(Comparator.naturalOrder()));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
