package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Reports;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import java.util.List;
import java.util.Objects;

/** A table that is read. */
final class OpcUaSource implements Source {
  private final String table;
  private final ConnectorContext context;
  private final TableShape shape;
  private final ReadSettings settings;
  private final Division division;
  private final String shardColumn;

  /**
   * @param shardColumn what it is divided by, if it is
   */
  OpcUaSource(
      String table,
      ConnectorContext context,
      TableShape shape,
      ReadSettings settings,
      Division division,
      String shardColumn) {
    this.table = table;
    this.context = context;
    this.shape = shape;
    this.settings = settings;
    this.division = division;
    this.shardColumn = shardColumn;
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
    if (!(division instanceof Division.ByKey(int _, List<String> names)) || !names.contains(name)) {
      throw new IllegalArgumentException("there is no shard '%s'".formatted(name));
    }
    return new OpcUaSource(
        table,
        context,
        shape,
        settings.of(new ReadSettings.Shard(shardColumn, name)),
        Division.WHOLE,
        "");
  }

  @Override
  public List<String> values() throws InterruptedException {
    if (!(division instanceof Division.Undiscovered)) {
      return Source.super.values();
    }
    Reports reports = new Reports(table, context);
    LinkSettings server = settings.link();
    try (Link link = Link.open(table, server, new Greeting(server, context, reports))) {
      NodeFinder finder = new NodeFinder(link, ServerLimits.of(link));
      List<String> values =
          finder.find(settings.patterns(), settings.root(), settings.maxNodes(), false).stream()
              .map(variable -> variable.columns().get(shardColumn))
              .filter(Objects::nonNull)
              .distinct()
              .sorted()
              .toList();
      if (!finder.skipped().isEmpty()) {
        throw new ConnectorRefusal(
            "the server does not say what is below %s; write the values in 'shard.values'"
                .formatted(Feeder.listed(finder.skipped())));
      }
      return values;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: %s: %s".formatted(table, server.url(), Failures.text(e, server.login())),
          e);
    }
  }

  @Override
  public SourceReader open() {
    return new OpcUaReader(table, context, shape, settings);
  }
}
