package io.sedge.connector.sparkplug.internal;

/** What an edge node publishes (4.1.2). */
enum MessageType {
  NBIRTH(false),
  NDEATH(false),
  NDATA(false),
  DBIRTH(true),
  DDEATH(true),
  DDATA(true);

  private final boolean ofDevice;

  MessageType(boolean ofDevice) {
    this.ofDevice = ofDevice;
  }

  /** Whether its topic names a device. */
  boolean isOfDevice() {
    return ofDevice;
  }
}
