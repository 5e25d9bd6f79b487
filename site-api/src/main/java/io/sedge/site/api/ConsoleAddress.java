package io.sedge.site.api;

/**
 * Where a device shows its site in a browser.
 *
 * @param address where it listens
 * @param exact whether there and nowhere else; else at the first free port from there on
 */
public record ConsoleAddress(LoopbackAddress address, boolean exact) {
  private static final String ONWARDS = "+";

  /**
   * Reads what {@link #toString} gives.
   *
   * @throws IllegalArgumentException that says what to write
   */
  public static ConsoleAddress parse(String text) {
    boolean exact = !text.endsWith(ONWARDS);
    String address = exact ? text : text.substring(0, text.length() - ONWARDS.length());
    return new ConsoleAddress(LoopbackAddress.parse(address), exact);
  }

  /** {@code 127.0.0.1:7480}, or {@code 127.0.0.1:7480+} for the first free port from there on. */
  @Override
  public String toString() {
    return address + (exact ? "" : ONWARDS);
  }
}
