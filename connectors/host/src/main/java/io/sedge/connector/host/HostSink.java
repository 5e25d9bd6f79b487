package io.sedge.connector.host;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.Suggestions;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Obeys commands: each row sets the sampling rate of one quantity in all readers of the process, at
 * once. What cannot be obeyed is reported and has no effect; a command that is given twice does no
 * harm.
 */
final class HostSink implements Sink {
  private final String table;
  private final int quantityColumn;
  private final int rateColumn;
  private final int reasonColumn;
  private final RateRegistry registry;
  private final ConnectorContext context;
  private long taken;
  private long bytes;

  HostSink(
      String table,
      Schema schema,
      RateRegistry registry,
      ConnectorContext context,
      Delivery delivery) {
    this.table = table;
    this.quantityColumn = schema.indexOf(HostColumns.QUANTITY);
    this.rateColumn = schema.indexOf(HostColumns.RATE);
    this.reasonColumn = schema.indexOf(HostColumns.REASON);
    this.registry = registry;
    this.context = context;
    this.taken = delivery.recoveryPoint();
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    for (int row = 0; row < batch.rows(); row++) {
      obey(
          (String) batch.column(quantityColumn).value(row),
          (Double) batch.column(rateColumn).value(row),
          reasonColumn < 0 ? null : (String) batch.column(reasonColumn).value(row));
    }
    taken = numbered.last();
    return true;
  }

  private void obey(@Nullable String quantity, @Nullable Double hertz, @Nullable String reason) {
    if (quantity == null || hertz == null || hertz.isNaN()) {
      warn("a command without a quantity or rate was ignored: %s, %s".formatted(quantity, hertz));
      return;
    }
    bytes += quantity.getBytes(StandardCharsets.UTF_8).length + Double.BYTES;
    Optional<Sampler.RateChange> change = registry.setRate(quantity, hertz);
    if (change.isEmpty()) {
      warn(unknown(quantity));
      return;
    }
    Sampler.RateChange made = change.get();
    context.report(
        ConnectorContext.Severity.INFO,
        "sampling rate of %s: %s -> %s%s"
            .formatted(
                quantity,
                SamplingRate.show(made.fromHz()),
                SamplingRate.show(made.toHz()),
                reason == null ? "" : " (" + reason + ")"));
    if (made.toHz() != hertz) {
      warn(
          "%s was asked for, but %s takes from %s to %s"
              .formatted(
                  SamplingRate.show(hertz),
                  quantity,
                  SamplingRate.show(SamplingRate.MIN_HZ),
                  SamplingRate.show(made.maxHz())));
    }
  }

  private String unknown(String quantity) {
    Set<String> names = registry.names();
    String help =
        names.isEmpty()
            ? "no table of the connector 'host' is read here"
            : Suggestions.closest(quantity, names)
                .map("did you mean '%s'?"::formatted)
                .orElse("%d quantities are read here".formatted(names.size()));
    return "the sampling rate of '%s' cannot be set, it is not read; %s".formatted(quantity, help);
  }

  private void warn(String message) {
    context.report(ConnectorContext.Severity.WARNING, "table " + table + ": " + message);
  }

  @Override
  public long flush() {
    return taken;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    // Rates stay as they are: they end with their readers.
  }
}
