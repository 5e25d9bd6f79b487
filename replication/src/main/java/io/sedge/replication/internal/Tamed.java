package io.sedge.replication.internal;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
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
final class Tamed {
  /** Held, as the platform forgets loggers that nobody holds. */
  private static final List<Logger> LOGGERS = List.of(Logger.getLogger("org.apache.ratis"));

  private Tamed() {}

  static void tame() {
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
}
