package io.sedge.connector.courier;

import org.jspecify.annotations.Nullable;

/**
 * Rows were refused, and others with them: their transaction, or their request. Without them the
 * others can be sent again.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public RefusedException(@Nullable Throwable cause) {
    super("rows were refused", cause);
  }
}
