package io.sedge.system.testkit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Small programs of the machine that a test asks for something. */
final class Programs {
  private static final int PATIENCE_SECONDS = 20;

  private Programs() {}

  /** Runs one to its end; whether it could be run and says that all went well. */
  static boolean run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
