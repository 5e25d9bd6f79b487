package io.sedge.center.api;

/**
 * Where a person logs in at a login provider.
 *
 * @param location where the browser goes; it comes back to the console with a code
 */
public record LocationReport(String location) {
  /** Without it, as it has secrets. */
  @Override
  public String toString() {
    return "LocationReport[...]";
  }
}
