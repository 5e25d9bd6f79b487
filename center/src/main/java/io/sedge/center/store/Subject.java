package io.sedge.center.store;

/**
 * Who somebody is at a login provider.
 *
 * @param issuer the provider's address, without blanks
 * @param id what the provider calls the person for good, which nobody else ever gets
 */
public record Subject(String issuer, String id) {
  private static final String BETWEEN = " ";

  static Subject of(String stored) {
    int end = stored.indexOf(BETWEEN);
    return new Subject(stored.substring(0, end), stored.substring(end + BETWEEN.length()));
  }

  String stored() {
    return issuer + BETWEEN + id;
  }
}
