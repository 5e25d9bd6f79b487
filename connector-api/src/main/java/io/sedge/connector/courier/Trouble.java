package io.sedge.connector.courier;

import java.time.Duration;
import java.util.Optional;

/**
 * What an exception of a carrier means.
 *
 * @param reason for people, without secrets
 * @param lasting whether it will not pass by itself: a login, a name, a permission
 * @param pause the far end asks not to be tried again before; zero if it does not
 */
public record Trouble(String reason, boolean lasting, Duration pause) {
  /** Of a far end that asks for no pause. */
  public Trouble(String reason, boolean lasting) {
    this(reason, lasting, Duration.ZERO);
  }

  /** Tells what the exceptions of a far end mean. */
  @FunctionalInterface
  public interface Diagnosis {
    /**
     * The trouble behind an exception.
     *
     * @return empty if the far end has nothing to do with it: then the sink fails for good
     */
    Optional<Trouble> of(Exception thrown);
  }
}
