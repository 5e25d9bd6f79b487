package io.sedge.connector.kafka.internal;

import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * A record was refused, and with it others: its transaction, or its batch. Without the record they
 * can be sent again.
 */
final class RefusedException extends KafkaException {
  private static final long serialVersionUID = 1;

  RefusedException(@Nullable Throwable cause) {
    super("a record was refused", cause);
  }
}
