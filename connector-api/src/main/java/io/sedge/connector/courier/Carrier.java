package io.sedge.connector.courier;

/**
 * A way to the far end, opened: a connection, a producer. When one of its methods fails it is of no
 * use any more, {@link RefusedException} excepted; another is opened then. Used by its courier's
 * thread alone, but for {@link #abort}.
 *
 * <p>A {@link io.sedge.connector.ConnectorException} from any of its methods ends the sink for
 * good: another sink has taken over, or a person must put something right.
 *
 * @param <S> what it carries
 */
public interface Carrier<S extends Shipment> extends AutoCloseable {
  /**
   * How carriers of a sink are opened, one after the other.
   *
   * @param <S> what they carry
   */
  @FunctionalInterface
  interface Opener<S extends Shipment> {
    /** Opens one; blocks as the far end's time-outs say. */
    Carrier<S> open() throws Exception;
  }

  /** The sequence up to which the far end had rows when it was opened; 0 if that is not known. */
  long found();

  /** Takes a shipment, and may begin to send it; does not wait for it. */
  void send(S shipment) throws Exception;

  /**
   * Makes durable what it was given since the last time; waits for it.
   *
   * @param last the sequence up to which that is
   * @throws RefusedException if nothing is, but would be without the rows that were refused
   */
  void commit(long last) throws Exception;

  /** Takes back what is not durable, after a {@link RefusedException}; it can be used on then. */
  default void retract() throws Exception {}

  /** There will be nothing more. */
  default void end() throws Exception {}

  /** Breaks off what the courier's thread waits for, if an interrupt does not. Any thread. */
  default void abort() {}

  @Override
  void close();
}
