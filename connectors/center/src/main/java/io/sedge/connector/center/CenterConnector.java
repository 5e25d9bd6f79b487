package io.sedge.connector.center;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.TopicRoute;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The connector {@code center}: rows go to the center that the site reports to, which stores each
 * of them once. It never ends a job: while the center is away, rows wait. A site that reports to
 * topics instead has them written by the connector {@code kafka}.
 */
public final class CenterConnector implements ConnectorFactory {
  private static final String CREDENTIAL = "credential";
  private static final String TABLE = "table-name";
  private static final String PRIORITY = "priority";
  private static final String BUFFER = "buffer.max-size";
  private static final String WHEN_FULL = "when-full";
  private static final String NORMAL = "normal";
  private static final String URGENT = "urgent";
  private static final String WAIT = "wait";
  private static final String DROP_OLDEST = "drop-oldest";
  static final String RUN = "run";
  private static final List<Option> OPTIONS =
      List.of(
          Option.required(
              CREDENTIAL,
              Option.Kind.STRING,
              "Write `${secret:center}`: `sedge site report` sets that secret."),
          Option.optional(
              TABLE,
              Option.Kind.STRING,
              "What the table is called at the center; the table's own name where it is absent."),
          Option.choice(
                  PRIORITY,
                  NORMAL,
                  List.of(NORMAL, URGENT),
                  "Rows of urgent tables go before those of others.")
              .asTuning(),
          Option.withDefault(
                  BUFFER,
                  Option.Kind.BYTES,
                  "4 mb",
                  "Rows that a device has on their way to the center.")
              .asTuning(),
          Option.choice(
                  WHEN_FULL,
                  WAIT,
                  List.of(WAIT, DROP_OLDEST),
                  "What happens when that is full: rows wait in the outbox, or the oldest are"
                      + " dropped and counted.")
              .asTuning());

  private final Links links = new Links();

  @Override
  public String name() {
    return "center";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    boolean dropsOldest = options.find(WHEN_FULL).orElse(WAIT).equals(DROP_OLDEST);
    if (dropsOldest && !table.primaryKey().isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: '%s' = '%s' goes with a table without a PRIMARY KEY: a key whose last row was dropped would keep an old one"
              .formatted(table.name(), WHEN_FULL, DROP_OLDEST));
    }
    SinkSettings settings =
        new SinkSettings(
            options.find(TABLE).orElse(table.name()),
            options.find(PRIORITY).orElse(NORMAL).equals(URGENT),
            options.bytes(BUFFER),
            dropsOldest);
    String credential = options.find(CREDENTIAL).orElseThrow();
    return Optional.of(new CenterTable(table, settings, credential, links, context));
  }

  private record CenterTable(
      TableDescriptor table,
      SinkSettings settings,
      String credential,
      Links links,
      ConnectorContext context)
      implements SinkFactory {
    /** Rows with a key may replace each other; what happened in between is not kept. */
    @Override
    public ChangelogMode changelogMode() {
      return table.primaryKey().isEmpty() ? ChangelogMode.INSERT_ONLY : ChangelogMode.UPSERT;
    }

    @Override
    public Optional<String> updatesRemedy() {
      return Optional.of("PRIMARY KEY (…) NOT ENFORCED");
    }

    @Override
    public Guarantee guarantee() {
      return Guarantee.EXACTLY_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      Optional<TopicRoute> route = TopicRoute.find(credential);
      if (route.isPresent()) {
        return TopicSink.open(table, settings, route.get(), job(delivery), delivery, context);
      }
      StreamOpening opening =
          new StreamOpening(
              job(delivery),
              delivery.writer().map(Delivery.Writer::task).orElse(RUN),
              table.name(),
              settings.table(),
              table.schema(),
              table.primaryKey());
      Link link = links.open(table.name(), credential);
      return new CenterSink(table, opening, settings, link, delivery.recoveryPoint(), context);
    }

    /** Each run numbers its rows from 1: they are told apart by a name for each. */
    private static String job(Delivery delivery) {
      return delivery
          .writer()
          .map(Delivery.Writer::job)
          .orElseGet(() -> RUN + "-" + UUID.randomUUID());
    }
  }
}
