package io.sedge.center.store;

import java.time.Instant;
import java.util.Optional;

/**
 * Somebody who logs in, with a password or at a login provider.
 *
 * @param subject who the person is at the provider; empty for who has a password
 * @param isShutOut whether the person is let in no more, whatever the provider says
 * @param password its hash; empty until the person has set one
 * @param seenAt when the person last asked for something, to a minute
 * @param linkEndsAt until when the link may be used that lets the person set a password; empty if
 *     there is none
 */
public record Person(
    String name,
    Permission permission,
    Optional<Subject> subject,
    boolean isShutOut,
    Optional<String> password,
    Instant createdAt,
    Optional<Instant> seenAt,
    Optional<Instant> linkEndsAt) {

  /** Without the hash. */
  @Override
  public String toString() {
    return "Person[name=%s, permission=%s]".formatted(name, permission);
  }
}
