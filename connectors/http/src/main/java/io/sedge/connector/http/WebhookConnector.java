package io.sedge.connector.http;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.http.internal.HttpTables;
import io.sedge.connector.http.internal.WebhookOptions;
import io.sedge.connector.http.internal.WebhookTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'webhook'}: what others send with POST as a table.
 *
 * <p>A request is answered with 200 once its rows are committed, so a sender that repeats what got
 * no such answer loses nothing. A request that is repeated with the same {@code Idempotency-Key}
 * and the same body is counted once, within a window, also by the next process or device. When the
 * queue is full a sender is told to come again (429).
 */
public final class WebhookConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public List<Option> options() {
    return WebhookOptions.ALL;
  }

  @Override
  public Map<String, Type> metadata() {
    return HttpTables.METADATA;
  }

  @Override
  public boolean usesFormats() {
    return true;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(WebhookTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }
}
