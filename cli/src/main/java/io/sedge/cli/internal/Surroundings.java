package io.sedge.cli.internal;

import io.sedge.cli.internal.output.LiveTable;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * All that a command sees of the process that it runs in.
 *
 * @param out standard output: rows and answers, nothing else; unbuffered
 * @param err standard error: messages; whoever writes is not held up by who reads
 * @param outIsTerminal whether standard output is a terminal
 * @param errIsTerminal whether standard error is one
 * @param environment the environment variables
 * @param directory what file names are relative to
 * @param screen the size of the terminal, asked for each time it is drawn
 * @param clock the wall clock
 * @param nanoClock a monotonic clock
 * @param interruptions where a command that runs on hears that it is to end
 * @param prompt asks for secrets in a terminal
 */
public record Surroundings(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean outIsTerminal,
    boolean errIsTerminal,
    Map<String, String> environment,
    Path directory,
    Supplier<LiveTable.Size> screen,
    InstantSource clock,
    LongSupplier nanoClock,
    Interruptions interruptions,
    SecretPrompt prompt) {
  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /** Whether standard output is to be coloured: a terminal, and no {@code NO_COLOR}. */
  boolean coloursOut() {
    return outIsTerminal && !refusesColours();
  }

  /** Whether standard error is to be coloured. */
  boolean coloursErr() {
    return errIsTerminal && !refusesColours();
  }

  private boolean refusesColours() {
    return !environment.getOrDefault("NO_COLOR", "").isEmpty()
        || environment.getOrDefault("TERM", "").equals("dumb");
  }
}
