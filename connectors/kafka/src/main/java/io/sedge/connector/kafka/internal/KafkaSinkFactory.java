package io.sedge.connector.kafka.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.courier.Carrier;
import io.sedge.connector.courier.CourierSink;
import io.sedge.connector.courier.Rhythm;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** A topic as a table that is written. */
final class KafkaSinkFactory implements SinkFactory {
  /** For so long opening waits for a broker that is away. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Columns columns;
  private final ConnectorContext context;
  private final SinkSettings settings;

  KafkaSinkFactory(Columns columns, ConnectorContext context, SinkSettings settings) {
    this.columns = columns;
    this.context = context;
    this.settings = settings;
  }

  @Override
  public ChangelogMode changelogMode() {
    if (settings.upsert()) {
      return ChangelogMode.UPSERT;
    }
    return columns.writesChanges(context) ? ChangelogMode.ALL : ChangelogMode.INSERT_ONLY;
  }

  @Override
  public Optional<String> updatesRemedy() {
    return Optional.of(
        "'connector' = 'upsert-kafka' with a PRIMARY KEY, which keeps the last row of each key, or"
            + " 'format' = 'debezium-json', a record for each change");
  }

  @Override
  public Guarantee guarantee() {
    return settings.promise() == Promise.EXACTLY_ONCE
        ? Guarantee.EXACTLY_ONCE
        : Guarantee.AT_LEAST_ONCE;
  }

  /**
   * Waits for the broker only where it alone knows which rows it has: for the rows of a writer that
   * are written in transactions.
   */
  @Override
  public Sink open(Delivery delivery) {
    CourierSink.Route<Parcels> route = route(delivery);
    return settings.promise() == Promise.EXACTLY_ONCE && delivery.writer().isPresent()
        ? CourierSink.awaitOpened(route, delivery, PATIENCE, "no broker answers")
        : CourierSink.open(route, delivery);
  }

  private CourierSink.Route<Parcels> route(Delivery delivery) {
    String table = columns.table().name();
    RowWriter rows = new RowWriter(columns, context, settings.upsert());
    rows.open();
    return new CourierSink.Route<>(
        "table %s: Kafka at %s".formatted(table, settings.client().servers()),
        "kafka-sink-" + table,
        context,
        new Rhythm(
            settings.queueBytes(),
            Math.max(1, settings.queueBytes() / 2),
            0,
            Integer.MAX_VALUE,
            Optional.empty()),
        OptionalInt.empty(),
        batch -> new Parcels(batch.last(), rows.parcels(batch)),
        opener(delivery),
        Failures::trouble);
  }

  private Carrier.Opener<Parcels> opener(Delivery delivery) {
    String table = columns.table().name();
    if (settings.promise() == Promise.EXACTLY_ONCE) {
      return new TransactionalCarrier.Claim(table, context, settings, delivery);
    }
    return PlainCarrier.opener(
        table, context, settings, delivery.writer().map(Delivery.Writer::name).orElse(table));
  }
}
