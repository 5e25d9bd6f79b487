package io.sedge.center.internal.api;

import io.sedge.center.store.AccessTokens.Role;
import java.util.Locale;
import java.util.Optional;

/** Who may ask for a route; each role may do what those before it may. */
enum Access {
  /** Without a token or session. */
  ANYBODY(Optional.empty()),
  /** A viewer, and without a token whoever asks from the center's own machine. */
  LOOPBACK(Optional.of(Role.VIEWER)),
  /** A person who has logged in, whatever the role. */
  PERSON(Optional.of(Role.VIEWER)),
  VIEWER(Optional.of(Role.VIEWER)),
  OPERATOR(Optional.of(Role.OPERATOR)),
  ENGINEER(Optional.of(Role.ENGINEER)),
  ADMIN(Optional.of(Role.ADMIN));

  private final Optional<Role> role;

  Access(Optional<Role> role) {
    this.role = role;
  }

  /** The least role that may ask; empty if none is needed. */
  Optional<Role> role() {
    return role;
  }

  /** As people write it. */
  static String name(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
