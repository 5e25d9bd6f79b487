package io.sedge.center.store;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A site that the center knows.
 *
 * @param ledger which site it is, whatever its name
 * @param fingerprint of its key
 * @param seenAt when it was last heard of, to a minute
 * @param generation how often it has been restored from an older state, as people have confirmed
 * @param held why its rows are refused until a person accepts that it was restored
 */
public record Site(
    String name,
    String ledger,
    String fingerprint,
    State state,
    Map<String, String> labels,
    Instant enrolledAt,
    Optional<Instant> seenAt,
    int generation,
    Optional<String> held) {

  /**
   * What a site may do. Enrolling makes a site ACTIVE, also one that was REVOKED; revoking makes it
   * REVOKED.
   */
  public enum State {
    ACTIVE,
    REVOKED
  }
}
