package io.sedge.connector.kafka.internal;

import java.util.Locale;

/**
 * What a sink writes to, and how.
 *
 * @param transactions what the ids of its transactions begin with
 * @param queueBytes what may wait for the broker
 * @param upsert whether the topic keeps the last row of each key
 */
record SinkSettings(
    String topic,
    ClientProperties client,
    Promise promise,
    String transactions,
    Partitioner partitioner,
    long queueBytes,
    boolean upsert) {

  /** What is known of a row that counts as written. */
  enum Promise {
    /** It was handed to the client. */
    NONE,
    /** The broker has it. */
    AT_LEAST_ONCE,
    /** It is in a transaction that was committed. */
    EXACTLY_ONCE;

    static Promise of(String choice) {
      return valueOf(choice.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }

  /** Which partition a row goes to. */
  enum Partitioner {
    /** Kafka chooses, by the key if there is one. */
    DEFAULT,
    /** The same for all rows of a writer. */
    FIXED,
    /** Each in turn. */
    ROUND_ROBIN;

    static Partitioner of(String choice) {
      return valueOf(choice.replace('-', '_').toUpperCase(Locale.ROOT));
    }
  }
}
