package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.courier.Trouble;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** What Kafka's exceptions mean, for people and for what is done next. */
final class Failures {
  private Failures() {}

  static ConnectorException user(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }

  static ConnectorException external(String message, Throwable cause) {
    return new ConnectorException(ConnectorException.Kind.EXTERNAL, message, cause);
  }

  /** What is inside of the wrappings of futures and of Kafka's own. */
  static Throwable cause(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof ExecutionException
            || cause instanceof CompletionException
            || cause.getClass() == KafkaException.class)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * Whether it will not pass by itself: a password, a permission, a key store, a broker that is too
   * old. A name of a host may be known later.
   */
  static boolean isLasting(Throwable cause) {
    return cause instanceof AuthenticationException
        || cause instanceof AuthorizationException
        || cause instanceof InvalidTopicException
        || cause instanceof UnsupportedVersionException
        || cause instanceof IOException
        || cause instanceof GeneralSecurityException
        || (cause instanceof ConfigException
            && !String.valueOf(cause.getMessage()).contains("No resolvable bootstrap urls"));
  }

  /** What an exception of a carrier means for what is done next. */
  static Optional<Trouble> trouble(Exception thrown) {
    if (!(thrown instanceof KafkaException)) {
      return Optional.empty();
    }
    Throwable cause = cause(thrown);
    return Optional.of(new Trouble(explain(cause), isLasting(cause)));
  }

  private static String unreadable(Exception e) {
    return "the client cannot read its keys or certificates (%s); see 'properties.ssl.*'"
        .formatted(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
  }

  /** In words that a person can act on; Kafka's own messages hold no passwords. */
  static String explain(Throwable cause) {
    return switch (cause) {
      case SslAuthenticationException e ->
          "the TLS handshake fails (%s); see 'properties.ssl.*'".formatted(e.getMessage());
      case AuthenticationException e ->
          "the login is refused (%s); see 'properties.sasl.*'".formatted(e.getMessage());
      case TopicAuthorizationException e ->
          "the user may not do this with %s".formatted(String.join(", ", e.unauthorizedTopics()));
      case AuthorizationException e -> "the user may not do this: " + e.getMessage();
      case AbsentTopicException e -> "the topic does not exist: %s".formatted(e.topic());
      case UnknownTopicOrPartitionException _ -> "the topic does not exist";
      case TimeoutException _ -> "no broker answers";
      case IOException e -> unreadable(e);
      case GeneralSecurityException e -> unreadable(e);
      default -> cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
