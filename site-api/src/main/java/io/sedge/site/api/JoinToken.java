package io.sedge.site.api;

/**
 * Lets one device join, once.
 *
 * @param text what is typed; a secret
 * @param address where the newcomer asks, {@code host:port}
 * @param endsAtMillis when it ends, by the wall clock of the device that has the authority
 */
public record JoinToken(String text, String address, long endsAtMillis) {
  @Override
  public String toString() {
    return "JoinToken[address=%s, endsAtMillis=%d]".formatted(address, endsAtMillis);
  }
}
