package io.sedge.connector.jdbc.internal;

import io.sedge.connector.Division;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A table of a database as a table that is read once. */
final class JdbcSource implements Source {
  /** What a value takes, about. */
  private static final long VALUE_BYTES = 8;

  private final ScanSettings settings;
  private final int partitions;

  /**
   * @param partitions how many parts there are, if the settings have a range; 0 for one of them
   */
  JdbcSource(ScanSettings settings, int partitions) {
    this.settings = settings;
    this.partitions = partitions;
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SourceReader open() {
    return new JdbcReader(settings);
  }

  @Override
  public Division division() {
    return settings.range().isPresent() && partitions > 0 ? Division.BY_PART : Division.WHOLE;
  }

  @Override
  public Source shard(String name) {
    if (!(division() instanceof Division.ByPart)) {
      throw new IllegalArgumentException(
          "table %s: there is no shard '%s'; 'scan.partition.column' would make some"
              .formatted(settings.table().name(), name));
    }
    return new JdbcSource(settings.only(settings.range().orElseThrow().parse(name)), 0);
  }

  @Override
  public List<Part> parts(PartSizes sizes) {
    if (!(division() instanceof Division.ByPart)) {
      throw new IllegalArgumentException("the source is not divided by part");
    }
    List<KeyRange> ranges =
        settings.range().orElseThrow().cut(Math.min(partitions, sizes.atMost()));
    long bytes = rows() * settings.table().schema().size() * VALUE_BYTES / ranges.size();
    List<Part> parts = new ArrayList<>(ranges.size());
    for (KeyRange range : ranges) {
      parts.add(new Part("%04d".formatted(parts.size()), range.text(), bytes));
    }
    return parts;
  }

  private long rows() {
    try (Connection connection = settings.database().connect()) {
      Layout layout =
          Layout.of(connection, settings.database(), settings.table(), settings.path(), false);
      KeyRange range = settings.range().orElseThrow();
      try (PreparedStatement count =
          connection.prepareStatement(
              "SELECT COUNT(*) FROM %s WHERE %s BETWEEN ? AND ?"
                  .formatted(layout.table(), layout.columns().get(range.column())))) {
        count.setLong(1, range.from());
        count.setLong(2, range.to());
        try (ResultSet row = count.executeQuery()) {
          return row.next() ? row.getLong(1) : 0;
        }
      }
    } catch (SQLException e) {
      throw Failures.external("%s: %s".formatted(settings.subject(), Failures.explain(e)), e);
    }
  }
}
