package io.sedge.connector;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;

/** What is at the bottom of a failure, which libraries wrap several times. Any thread. */
public final class Causes {
  /** Far more than any has; a failure may be its own cause by a detour. */
  private static final int MOST = 100;

  private Causes() {}

  /** The innermost cause; the failure itself if it has none. */
  public static Throwable innermost(Throwable failure) {
    Throwable innermost = failure;
    for (int i = 0; i < MOST && innermost.getCause() != null; i++) {
      innermost = innermost.getCause();
    }
    return innermost;
  }

  /** What the innermost cause says, for people; its kind if it says nothing. */
  public static String text(Throwable failure) {
    if (isUnknownName(failure)) {
      return "the name is not known";
    }
    if (isRefused(failure)) {
      return "nobody listens there";
    }
    Throwable innermost = innermost(failure);
    String message = innermost.getMessage();
    return message == null || message.isBlank()
        ? innermost.getClass().getSimpleName()
        : message.strip();
  }

  /** Whether the name of a far end has no address. */
  public static boolean isUnknownName(Throwable failure) {
    Throwable innermost = innermost(failure);
    return innermost instanceof UnknownHostException
        || innermost instanceof UnresolvedAddressException;
  }

  /** Whether nobody listens at an address. The JDK's client of HTTP says so without a word. */
  public static boolean isRefused(Throwable failure) {
    Throwable innermost = innermost(failure);
    return innermost instanceof ConnectException
        ? String.valueOf(innermost.getMessage()).toLowerCase(Locale.ROOT).contains("refused")
        : innermost instanceof ClosedChannelException && failure instanceof ConnectException;
  }
}
