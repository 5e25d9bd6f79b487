package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.mqtt.ConnectionSettings;
import java.util.List;
import java.util.function.Supplier;

/**
 * Edge nodes as an endless stream. Where it is divided, a shard subscribes to the topics of its
 * edge node alone; the first one says for all that the host application is online.
 */
final class SparkplugSource implements Source {
  private final String table;
  private final ConnectorContext context;
  private final ConnectionSettings connection;
  private final ReadSettings settings;
  private final Supplier<RowWriter> rows;
  private final Division division;

  SparkplugSource(
      String table,
      ConnectorContext context,
      ConnectionSettings connection,
      ReadSettings settings,
      Supplier<RowWriter> rows,
      Division division) {
    this.table = table;
    this.context = context;
    this.connection = connection;
    this.settings = settings;
    this.rows = rows;
    this.division = division;
  }

  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public Division division() {
    return division;
  }

  @Override
  public Source shard(String name) {
    List<String> shards = division instanceof Division.ByKey by ? by.shards() : List.of();
    if (!shards.contains(name)) {
      throw new IllegalArgumentException(
          "table %s: there is no shard '%s' but %s".formatted(table, name, shards));
    }
    String given = connection.clientId();
    ReadSettings one = settings.ofNodes(List.of(name));
    return new SparkplugSource(
        table,
        context,
        given == null ? connection : connection.withClientId(given + "-" + name),
        name.equals(shards.getFirst()) ? one : one.withoutHost(),
        rows,
        Division.WHOLE);
  }

  @Override
  public SourceReader open() {
    ReadSettings read =
        division instanceof Division.ByKey by ? settings.ofNodes(by.shards()) : settings;
    return new SparkplugReader(table, context, connection, read, rows.get());
  }
}
