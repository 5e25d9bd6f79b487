package io.sedge.ledger;

/**
 * What a device's process takes of its machine. Each number is -1 if the device has not said.
 *
 * @param heapBytes of the virtual machine's heap that are in use
 * @param residentBytes of memory
 * @param entriesPerSecond of the ledger's log, over the last minute
 * @param syncsPerSecond how often the log was brought to the disk, over the last minute
 * @param writtenBytesPerSecond that the process had the disk write, over the last minute
 * @param diskFreeBytes that it may still use of the disk that its data is on
 * @param diskBytes of that disk
 */
public record ProcessUse(
    long heapBytes,
    long residentBytes,
    double entriesPerSecond,
    double syncsPerSecond,
    double writtenBytesPerSecond,
    long diskFreeBytes,
    long diskBytes) {
  /** Nothing is known. */
  public static final ProcessUse UNKNOWN = new ProcessUse(-1, -1);

  /** What versions told that do not look at the disk. */
  public ProcessUse(
      long heapBytes,
      long residentBytes,
      double entriesPerSecond,
      double syncsPerSecond,
      double writtenBytesPerSecond) {
    this(heapBytes, residentBytes, entriesPerSecond, syncsPerSecond, writtenBytesPerSecond, -1, -1);
  }

  /** What versions told that do not count writes. */
  public ProcessUse(long heapBytes, long residentBytes) {
    this(heapBytes, residentBytes, -1, -1, -1, -1, -1);
  }
}
