package io.sedge.center.internal.api;

import io.sedge.center.internal.people.Sessions.Session;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import java.util.Optional;

/**
 * Who asks.
 *
 * @param name of the person or token; empty for nobody who is known
 * @param permission empty for nobody who is known
 * @param address where the request came from
 * @param session of a person who has logged in; empty for others
 */
record Caller(
    String name, Optional<Permission> permission, String address, Optional<Session> session) {
  static Caller unknown(String address) {
    return new Caller("", Optional.empty(), address, Optional.empty());
  }

  /** The same under the name by which somebody is known from now on. */
  Caller named(String own) {
    return new Caller(own, permission, address, session);
  }

  /** Whether one may do what a role may. */
  boolean may(Role least) {
    return permission.filter(own -> own.role().includes(least)).isPresent();
  }

  /** For the audit log. */
  String who() {
    return "%s (%s)".formatted(name, address);
  }
}
