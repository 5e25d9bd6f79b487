package io.sedge.connector.kafka.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Outage;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import java.time.Duration;
import java.util.Optional;

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
    String table = columns.table().name();
    String servers = settings.client().servers();
    RowWriter rows = new RowWriter(columns, context, settings.upsert());
    Outgoing outgoing = new Outgoing(settings.queueBytes(), delivery.recoveryPoint());
    Outage outage = new Outage("table %s: Kafka at %s".formatted(table, servers), context);
    Courier courier = new Courier(table, context, servers, outgoing, opener(delivery), outage);
    if (settings.promise() == Promise.EXACTLY_ONCE && delivery.writer().isPresent()) {
      awaitOpened(courier, outage);
    }
    return new KafkaSink(table, context, rows, outgoing, courier, outage);
  }

  private Carrier.Opener opener(Delivery delivery) {
    String table = columns.table().name();
    if (settings.promise() == Promise.EXACTLY_ONCE) {
      return new TransactionalCarrier.Claim(table, context, settings, delivery);
    }
    return PlainCarrier.opener(
        table, context, settings, delivery.writer().map(Delivery.Writer::name).orElse(table));
  }

  private void awaitOpened(Courier courier, Outage outage) {
    boolean interrupted = false;
    try {
      if (courier.awaitOpened(PATIENCE)) {
        return;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    courier.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    ConnectorException failure = courier.failure();
    throw failure != null
        ? failure
        : new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "table %s: Kafka at %s: %s; it alone knows which rows it has, so writing cannot begin"
                .formatted(
                    columns.table().name(),
                    settings.client().servers(),
                    outage.reason().orElse("no broker answers")));
  }
}
