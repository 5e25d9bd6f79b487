package io.sedge.connector.kafka.internal;

/**
 * A producer, opened, that brings records to the broker. It fails with Kafka's exceptions, and is
 * of no use then. Used by its courier's thread alone.
 */
interface Carrier extends AutoCloseable {
  /** How carriers of a sink are opened, one after the other. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens one; blocks as the clients' time-outs say.
     *
     * @throws io.sedge.connector.ConnectorException if another sink delivers the rows now
     */
    Carrier open();
  }

  /** The sequence up to which the far end had rows when it was opened; 0 if that is not known. */
  long found();

  /** Sends the records of a shipment; does not wait for them. */
  void send(Shipment shipment);

  /**
   * Makes durable what was sent; waits for it.
   *
   * @param last the sequence up to which it is
   * @throws RefusedException if nothing is, but would be without the records that were refused
   */
  void commit(long last);

  /**
   * Takes back what was sent and is not durable, after a {@link RefusedException}. Then the carrier
   * can be used on.
   */
  void retract();

  @Override
  void close();
}
