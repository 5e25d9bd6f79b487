package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorContext;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A server that is asked, and how.
 *
 * @param table that it is for
 * @param place what messages call it: the address without query, secrets and values of rows
 * @param headers of each request; values may be secrets
 * @param tls for a server or this client with certificates of their own; empty: the JDK's
 */
record Server(
    String table,
    ConnectorContext context,
    String place,
    Map<String, String> headers,
    Duration connectTimeout,
    Duration timeout,
    Optional<TlsFiles> tls,
    Login login) {
  /** What messages begin with: {@code table results: https://mes.plant/rows}. */
  String subject() {
    return "table %s: %s".formatted(table, place);
  }

  /** A request with the headers of all. */
  HttpRequest.Builder request(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    headers.forEach(request::setHeader);
    return request;
  }

  /** Without what may be secret. */
  @Override
  public String toString() {
    return "Server[%s]".formatted(subject());
  }
}
