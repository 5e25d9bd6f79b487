package io.sedge.connector.http;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.http.internal.HttpOptions;
import io.sedge.connector.http.internal.HttpTables;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code 'connector' = 'http'}: a web service as a table.
 *
 * <p>A sink sends rows with POST or PUT, some in each request, and again until the server takes
 * them. Each request has a key that follows from the sequences of its rows, so a server that keeps
 * keys takes each once, whichever device sends it. A source asks with GET at an interval; a service
 * keeps no past, so what is not asked for is missing, and is reported with its times.
 */
public final class HttpConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "http";
  }

  @Override
  public List<Option> options() {
    return HttpOptions.ALL;
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
    return Optional.of(HttpTables.source(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(HttpTables.sink(table, context));
  }
}
