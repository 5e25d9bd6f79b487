package io.sedge.connector.jdbc.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.engine.type.Schema;
import java.sql.SQLException;
import java.util.Optional;

/** A table of a database as a table that is written. */
final class JdbcSinkFactory implements SinkFactory {
  private final SinkSettings settings;

  JdbcSinkFactory(SinkSettings settings) {
    this.settings = settings;
  }

  @Override
  public ChangelogMode changelogMode() {
    return settings.isUpsert() ? ChangelogMode.UPSERT : ChangelogMode.INSERT_ONLY;
  }

  @Override
  public Optional<String> updatesRemedy() {
    return Optional.of("a PRIMARY KEY (…) NOT ENFORCED, by which rows are replaced");
  }

  @Override
  public Guarantee guarantee() {
    return settings.exactlyOnce() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
  }

  /** Waits for the database, so that a table that does not fit is said at once. */
  @Override
  public Sink open(Delivery delivery) {
    Outgoing outgoing = new Outgoing(settings, delivery.recoveryPoint());
    Courier courier = new Courier(settings, delivery, outgoing, this::refused);
    boolean interrupted = false;
    try {
      if (courier.awaitOpened()) {
        return new JdbcSink(settings, outgoing, courier);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    ConnectorException failure = courier.failure();
    Optional<String> reason = courier.reason();
    courier.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throw failure != null
        ? failure
        : new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "%s: %s".formatted(settings.subject(), reason.orElse("no answer")));
  }

  /** Counted and kept like a payload that cannot be decoded. */
  private void refused(Row row, SQLException why) {
    if (row.refuse()) {
      settings
          .context()
          .malformed(
              settings.table().name(),
              settings.path(),
              text(row).getBytes(UTF_8),
              "%s does not take the row: %s".formatted(settings.database(), Failures.explain(why)));
    }
  }

  /** {@code name = value, …}, the types of the values behind them. */
  private String text(Row row) {
    Schema schema = settings.table().schema();
    StringBuilder text = new StringBuilder();
    for (int column = 0; column < schema.size(); column++) {
      text.append(column == 0 ? "" : ", ")
          .append(
              "%s %s = %s"
                  .formatted(
                      schema.name(column),
                      schema.type(column).withNullable(true),
                      row.values()[column]));
    }
    return text.toString();
  }
}
