package io.sedge.center.api;

/**
 * A link by which a person sets a password, once.
 *
 * @param link shown this once
 */
public record LinkReport(String name, String link, long endsAtMillis) {

  /** Without the link. */
  @Override
  public String toString() {
    return "LinkReport[name=%s, endsAtMillis=%d]".formatted(name, endsAtMillis);
  }
}
