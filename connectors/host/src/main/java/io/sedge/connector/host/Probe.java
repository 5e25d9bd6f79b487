package io.sedge.connector.host;

import java.io.IOException;
import java.util.List;

/**
 * Quantities that one look at the machine gives together. A port: tests have their own. One thread.
 */
interface Probe extends AutoCloseable {
  /** What it reads, always the same. */
  List<Quantity> quantities();

  /**
   * Looks.
   *
   * @param raw takes the number of each quantity, in their order; NaN for one that cannot be read
   *     now (a disk that was pulled out)
   * @param whole takes the whole of each {@link Measure#SHARE}
   * @throws IOException if none of them can be read now
   */
  void read(double[] raw, double[] whole) throws IOException;

  @Override
  default void close() throws IOException {}
}
