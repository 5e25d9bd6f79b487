package io.sedge.connector.http.internal;

import com.fasterxml.jackson.core.JsonPointer;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.TableDescriptor;
import java.time.Duration;
import java.util.Optional;

/**
 * Where requests come to, and what is taken of them.
 *
 * @param tls empty: what is sent can be read on its way
 * @param signatureHeader where a body's signature stands
 * @param window so many requests are known again
 * @param queueBytes so much may wait for a commit
 */
record WebhookSettings(
    TableDescriptor table,
    ConnectorContext context,
    String host,
    int port,
    String path,
    BodyForm form,
    JsonPointer pointer,
    Optional<TlsFiles> tls,
    Guard guard,
    String signatureHeader,
    String idempotencyHeader,
    int window,
    Duration answerTimeout,
    int maxPayload,
    long queueBytes) {
  /** Where it listens, for messages: {@code https://10.0.0.5:8443/rows}. */
  String place(int atPort) {
    return "%s://%s:%d%s"
        .formatted(
            tls.isPresent() ? "https" : "http",
            host.contains(":") ? "[%s]".formatted(host) : host,
            atPort,
            path);
  }

  /** What messages begin with. */
  String subject() {
    return "table %s: %s".formatted(table.name(), place(port));
  }
}
