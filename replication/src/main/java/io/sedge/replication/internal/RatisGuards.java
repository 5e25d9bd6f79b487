package io.sedge.replication.internal;

import java.lang.Thread.UncaughtExceptionHandler;
import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.util.BouncyCastleUtil;
import org.apache.ratis.util.ExitUtils;

/**
 * Keeps Ratis from what a library must not do. It ends the whole process when it cannot listen,
 * and, by a handler that it installs, when any thread at all ends by an exception; both are
 * switched off.
 *
 * <p>Silences what Ratis and its gRPC and Netty log: a page at each start, an error with a stack
 * trace for every reconnection. What people should know is said through the listener. Loggers whose
 * level somebody has set are left alone.
 */
final class RatisGuards {
  /** Held, as the platform forgets loggers that nobody holds. */
  private static final List<Logger> LOGGERS = List.of(Logger.getLogger("org.apache.ratis"));

  private RatisGuards() {}

  static void tame() {
    keepProvidersOut();
    UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    ExitUtils.setTerminateOnUncaughtException(false);
    Thread.setDefaultUncaughtExceptionHandler(before);
    for (Logger logger : LOGGERS) {
      if (logger.getLevel() == null) {
        logger.setLevel(Level.OFF);
      }
    }
  }

  /**
   * Netty looks for a provider of cryptography that is called BC, and if there is none makes one of
   * the library of that name, which is there for certificates: 750 classes with all that it could
   * do, of which nothing is used, a quarter of a second at each start. It looks once, so it is let
   * find one without anything, which is gone again at once. All else is done by the JDK's own, as
   * before.
   */
  private static void keepProvidersOut() {
    Provider nothing = new Nothing();
    if (Security.addProvider(nothing) > 0) {
      try {
        var _ = BouncyCastleUtil.isBcProvAvailable();
      } finally {
        Security.removeProvider(nothing.getName());
      }
    }
  }

  private static final class Nothing extends Provider {
    private static final long serialVersionUID = 1;

    Nothing() {
      super("BC", "0", "offers nothing");
    }
  }
}
