package io.sedge.center.internal.oidc;

/**
 * Nobody is logged in. The message has nothing that a provider has written. For AWAY it is for who
 * runs the center, and otherwise for who wants to log in.
 */
public final class ProviderException extends Exception {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  ProviderException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  ProviderException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }

  /** Why. */
  public enum Reason {
    /** The provider does not answer, not as a provider does, or does not know the center. */
    AWAY,
    /** As many ask the provider as may. */
    BUSY,
    /** The login was not begun here by this browser, has ended, or was used. */
    ENDED,
    /** What the provider says is not believed, or it does not know the person. */
    REFUSED
  }
}
