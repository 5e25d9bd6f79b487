package io.sedge.mqtt;

import io.sedge.connector.Delivery;
import java.util.Optional;

/**
 * A message to be published.
 *
 * @param payload not to be changed
 * @param origin which row it is, if that can be told
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record Outgoing(
    String topic, byte[] payload, int qos, boolean retain, Optional<Origin> origin) {
  /** A row of a writer, that it may deliver again. */
  public record Origin(Delivery.Writer writer, long sequence) {}
}
