package io.sedge.connector.courier;

/** The rows of one batch on their way, in the form that a {@link Carrier} sends. */
public interface Shipment {
  /** The sequence of the batch's last row. */
  long last();

  /** How many rows it has. */
  int size();

  /** The bytes of its rows as the far end gets them, about. */
  long payloadBytes();

  /** What its rows take of memory, about. */
  long bytes();
}
