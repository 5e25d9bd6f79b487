package io.sedge.connector.jdbc.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.courier.CourierSink;
import io.sedge.connector.courier.Rhythm;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A table of a database as a table that is written. */
final class JdbcSinkFactory implements SinkFactory {
  /** A transaction takes whole batches until it has so many rows. */
  private static final int TRANSACTION_ROWS = 10_000;

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
    // Without a writer, rows of a key may be written again: they stay the same.
    boolean kept =
        settings.exactlyOnce() && (delivery.writer().isPresent() || !settings.isUpsert());
    Optional<Delivered> delivered =
        kept ? Optional.of(new Delivered(settings, delivery)) : Optional.empty();
    return CourierSink.awaitOpened(
        new CourierSink.Route<>(
            settings.subject(),
            "jdbc-sink-" + settings.table().name(),
            settings.context(),
            new Rhythm(
                settings.queueBytes(),
                settings.queueBytes(),
                settings.maxRows(),
                TRANSACTION_ROWS,
                Optional.of(settings.interval())),
            settings.maxRetries(),
            this::rows,
            () -> new Link(settings, delivered, this::refused),
            Failures::trouble),
        delivery,
        settings.patience(),
        "no answer");
  }

  private Rows rows(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    Schema schema = settings.table().schema();
    Dialect dialect = settings.database().dialect();
    List<Row> rows = new ArrayList<>(batch.rows());
    long taken = 0;
    for (int row = 0; row < batch.rows(); row++) {
      @Nullable Object[] values = new @Nullable Object[schema.size()];
      for (int column = 0; column < values.length; column++) {
        values[column] = Values.written(batch, column, row, schema.type(column), dialect);
        taken += Values.bytes(values[column]);
      }
      boolean deleted =
          switch (batch.change(row)) {
            case INSERT, UPDATE_AFTER -> false;
            case UPDATE_BEFORE, DELETE -> true;
          };
      Row made = new Row(values, deleted);
      int missing = missingKey(made);
      if (missing < 0) {
        rows.add(made);
      } else if (!deleted) {
        unwritten(
            made,
            "`%s` is NULL: a row without a value of the PRIMARY KEY cannot be replaced"
                .formatted(schema.name(missing)));
      }
    }
    return new Rows(numbered.last(), rows, taken);
  }

  /**
   * The first column of the key in which a row has NULL, or -1. Some databases would add such a row
   * each time.
   */
  private int missingKey(Row row) {
    for (int column : settings.table().primaryKey()) {
      if (row.values()[column] == null) {
        return column;
      }
    }
    return -1;
  }

  private void refused(Row row, SQLException why) {
    if (row.refuse()) {
      unwritten(
          row,
          "%s does not take the row: %s".formatted(settings.database(), Failures.explain(why)));
    }
  }

  /** Counted and kept like a payload that cannot be decoded. */
  private void unwritten(Row row, String reason) {
    settings
        .context()
        .unwritten(settings.table().name(), settings.path(), text(row).getBytes(UTF_8), reason);
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
