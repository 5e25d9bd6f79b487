package io.sedge.connector.http.internal;

import io.sedge.connector.Causes;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.courier.Trouble;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** What goes wrong between a client and a server, in words that a person can act on. */
final class Failures {
  private Failures() {}

  static ConnectorException user(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }

  static ConnectorException external(String message, Throwable cause) {
    return new ConnectorException(ConnectorException.Kind.EXTERNAL, message, cause);
  }

  /** What an exception of a carrier means for what is done next. */
  static Optional<Trouble> trouble(Exception thrown) {
    return switch (thrown) {
      case StatusException e -> Optional.of(new Trouble(explain(e), e.isLasting(), e.pause()));
      case IOException e -> Optional.of(new Trouble(explain(e), false));
      default -> Optional.empty();
    };
  }

  static String explain(IOException e) {
    return switch (e) {
      case StatusException known -> String.valueOf(known.getMessage());
      case HttpConnectTimeoutException _ -> "it does not answer";
      case HttpTimeoutException known -> String.valueOf(known.getMessage());
      case SSLException known ->
          "the TLS handshake fails (%s); see 'tls.ca'".formatted(known.getMessage());
      case UnknownHostException _ -> "its name is not known";
      case ConnectException known ->
          Causes.isUnknownName(known)
              ? "its name is not known"
              : "no connection (%s)"
                  .formatted(known.getMessage() == null ? "refused" : known.getMessage());
      default ->
          "the connection has broken (%s)"
              .formatted(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    };
  }
}
