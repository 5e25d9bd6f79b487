package io.sedge.connector.mqtt.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import io.sedge.mqtt.ClientIds;
import io.sedge.mqtt.ConnectionSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Topics of a broker as an endless stream. Where they are divided, a shard subscribes to the topics
 * of its value alone, so that the broker does the splitting; the whole subscribes to those of all
 * values.
 */
final class MqttSource implements Source {
  /** A machine that speaks once in ten seconds is found. */
  private static final TopicLook.Bounds DISCOVERY =
      new TopicLook.Bounds(Duration.ofSeconds(10), 1_000_000, 256L << 20);

  private final TableDescriptor table;
  private final ConnectorContext context;
  private final ConnectionSettings connection;
  private final SourceSettings settings;
  private final List<TopicPattern> patterns;
  private final Optional<Sharding> sharding;
  private final List<Integer> payload;

  /** The whole of which this is the first shard, whose reader looks after the others too. */
  private final Optional<MqttSource> whole;

  MqttSource(
      TableDescriptor table,
      ConnectorContext context,
      ConnectionSettings connection,
      SourceSettings settings,
      List<TopicPattern> patterns,
      Optional<Sharding> sharding,
      List<Integer> payload) {
    this(table, context, connection, settings, patterns, sharding, payload, Optional.empty());
  }

  private MqttSource(
      TableDescriptor table,
      ConnectorContext context,
      ConnectionSettings connection,
      SourceSettings settings,
      List<TopicPattern> patterns,
      Optional<Sharding> sharding,
      List<Integer> payload,
      Optional<MqttSource> whole) {
    this.table = table;
    this.context = context;
    this.connection = connection;
    this.settings = settings;
    this.patterns = List.copyOf(patterns);
    this.sharding = sharding;
    this.payload = List.copyOf(payload);
    this.whole = whole;
  }

  @Override
  public boolean bounded() {
    return false;
  }

  @Override
  public Division division() {
    return sharding.map(this::division).orElse(Division.WHOLE);
  }

  private Division division(Sharding by) {
    int column = table.schema().indexOf(by.column());
    return by.isListed()
        ? new Division.ByKey(column, by.values())
        : new Division.Undiscovered(column, MqttOptions.SHARD_VALUES);
  }

  @Override
  public List<String> values() throws InterruptedException {
    String column = sharding.filter(by -> !by.isListed()).orElseThrow().column();
    try (TopicLook look =
        new TopicLook(patterns, column, _ -> true, connection, context, DISCOVERY)) {
      look.await();
      Optional<String> trouble = look.trouble();
      if (trouble.isPresent()) {
        throw new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "table %s: the topics of %s cannot be seen: %s"
                .formatted(table.name(), connection.broker(), trouble.get()));
      }
      List<String> values = List.copyOf(look.values().keySet());
      if (values.size() > MqttOptions.MAX_SHARDS) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: there are more than %d values of %s, of which each would be a shard; divide by another column"
                .formatted(table.name(), MqttOptions.MAX_SHARDS, column));
      }
      return values;
    }
  }

  @Override
  public Source shard(String name) {
    Sharding by =
        sharding
            .filter(known -> known.values().contains(name))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "table %s: there is no shard '%s' but %s"
                            .formatted(
                                table.name(),
                                name,
                                sharding.map(Sharding::values).orElse(List.of()))));
    String given = connection.clientId();
    return new MqttSource(
        table,
        context,
        given == null ? connection : connection.withClientId(given + "-" + name),
        settings,
        patterns.stream().map(pattern -> pattern.with(by.column(), name)).toList(),
        Optional.empty(),
        payload,
        by.values().getFirst().equals(name) ? Optional.of(this) : Optional.empty());
  }

  @Override
  public SourceReader open() {
    List<TopicPattern> read =
        sharding
            .filter(Sharding::isListed)
            .map(by -> patterns.stream().flatMap(pattern -> fixed(pattern, by)).toList())
            .orElse(patterns);
    RowDecoder decoder = context.formats().decoder(table, payload);
    decoder.open(table.name(), context);
    RowAssembler rows = new RowAssembler(table, read, decoder);
    return new MqttReader(
        table.name(),
        context,
        connection.withClientId(clientId()),
        settings,
        connection.clientId() != null,
        read,
        rows,
        whole.orElse(this).unread());
  }

  /** Of a whole that is divided: what tells of values that no shard has. */
  private Optional<UnreadValues> unread() {
    return sharding
        .filter(Sharding::isListed)
        .map(by -> new UnreadValues(by, patterns, connection, context, UnreadValues.Rhythm.USUAL));
  }

  private static Stream<TopicPattern> fixed(TopicPattern pattern, Sharding by) {
    return by.values().stream().map(value -> pattern.with(by.column(), value));
  }

  /** The script's, else the site's, whose session passes on with the task. */
  private @Nullable String clientId() {
    String given = connection.clientId();
    return given != null ? given : context.session().map(ClientIds::of).orElse(null);
  }
}
