package io.sedge.connector.kafka.internal;

import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** There is no topic of that name, and the broker makes none. */
final class AbsentTopicException extends UnknownTopicOrPartitionException {
  private static final long serialVersionUID = 1;

  private final String topic;

  AbsentTopicException(String topic, Throwable cause) {
    super("topic '%s' does not exist".formatted(topic), cause);
    this.topic = topic;
  }

  String topic() {
    return topic;
  }
}
