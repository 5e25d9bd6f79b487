package io.sedge.center.internal.api;

import io.sedge.center.store.AccessTokens.Role;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param name of the token; empty for nobody who is known
 * @param role empty for nobody who is known
 * @param address where the request came from
 */
record Caller(String name, Optional<Role> role, String address) {
  static Caller unknown(String address) {
    return new Caller("", Optional.empty(), address);
  }

  /** For the audit log. */
  String who() {
    return "%s (%s)".formatted(name, address);
  }
}
