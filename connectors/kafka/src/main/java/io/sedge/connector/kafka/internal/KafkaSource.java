package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Topics as a table that is read. With a shard column, each partition is a shard. */
final class KafkaSource implements Source {
  private final Columns columns;
  private final ConnectorContext context;
  private final SourceSettings settings;
  private final int shardColumn;

  /**
   * @param shardColumn that of the partition; -1 if it is not divided
   */
  KafkaSource(Columns columns, ConnectorContext context, SourceSettings settings, int shardColumn) {
    this.columns = columns;
    this.context = context;
    this.settings = settings;
    this.shardColumn = shardColumn;
  }

  @Override
  public boolean bounded() {
    return settings.isBounded();
  }

  @Override
  public boolean isRepeatable() {
    return settings.startup().isRepeatable();
  }

  @Override
  public Division division() {
    if (shardColumn < 0) {
      return Division.WHOLE;
    }
    return settings.listed().isEmpty()
        ? new Division.Undiscovered(shardColumn, KafkaOptions.SHARD_VALUES)
        : new Division.ByKey(shardColumn, settings.listed().stream().map(String::valueOf).toList());
  }

  @Override
  public List<String> values() {
    if (!(division() instanceof Division.Undiscovered)) {
      throw new IllegalArgumentException("the shards of the source are known");
    }
    String table = columns.table().name();
    try (Admin admin = admin(table)) {
      Map<String, TopicShape> shapes = TopicShape.look(admin, settings.topics());
      int most = shapes.values().stream().mapToInt(TopicShape::partitions).max().orElse(0);
      return IntStream.range(0, most).mapToObj(String::valueOf).sorted().toList();
    } catch (KafkaException e) {
      throw Failures.external(
          "table %s: Kafka at %s cannot be asked for its partitions: %s"
              .formatted(table, settings.client().servers(), Failures.explain(Failures.cause(e))),
          e);
    }
  }

  private Admin admin(String table) {
    new BrokerProbe(settings.client()).refuseTls();
    return new Clients(settings.client()).admin(table);
  }

  @Override
  public Source shard(String name) {
    if (!(division() instanceof Division.ByKey(int _, List<String> names))
        || !names.contains(name)) {
      throw new IllegalArgumentException(
          "table %s: there is no shard '%s'".formatted(columns.table().name(), name));
    }
    return new KafkaSource(
        columns,
        context,
        settings.only(List.of(Integer.valueOf(name)), names.getFirst().equals(name)),
        -1);
  }

  @Override
  public SourceReader open() {
    RowReader rows = new RowReader(columns, context);
    rows.open(columns.table().name(), context);
    return new KafkaReader(columns.table().name(), context, settings, rows);
  }
}
