package io.sedge.connector.host;

import java.util.List;

/** A machine that has sensors. A port: tests have their own. Any thread. */
interface Machine {
  /** Its name in the network. */
  String name();

  /**
   * Looks what it has and opens it. Takes some tenths of a second the first time.
   *
   * @return probes for the caller's use alone, who closes them
   */
  List<Probe> open();
}
