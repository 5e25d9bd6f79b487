package io.sedge.connector.kafka.internal;

import org.jspecify.annotations.Nullable;

/** A row on its way, as a record. Any thread. */
final class Parcel {
  /** Objects around a record's bytes. */
  private static final int PARCEL_BYTES = 100;

  private final byte @Nullable [] key;
  private final byte @Nullable [] value;
  private final @Nullable Long timestamp;
  private volatile boolean refused;

  /**
   * @param value null for a key that is gone
   * @param timestamp milliseconds since 1970; null for when it is sent
   */
  Parcel(byte @Nullable [] key, byte @Nullable [] value, @Nullable Long timestamp) {
    this.key = key;
    this.value = value;
    this.timestamp = timestamp;
  }

  byte @Nullable [] key() {
    return key;
  }

  byte @Nullable [] value() {
    return value;
  }

  @Nullable Long timestamp() {
    return timestamp;
  }

  /**
   * The broker does not take it, and never will.
   *
   * @return whether that is new
   */
  synchronized boolean refuse() {
    boolean isNew = !refused;
    refused = true;
    return isNew;
  }

  boolean isRefused() {
    return refused;
  }

  /** The bytes of key and value. */
  int payloadBytes() {
    return (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
  }

  /** What it takes of memory, about. */
  int bytes() {
    return PARCEL_BYTES + payloadBytes();
  }
}
