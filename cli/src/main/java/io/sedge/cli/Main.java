package io.sedge.cli;

import io.sedge.cli.internal.Interruptions;
import io.sedge.cli.internal.Posix;
import io.sedge.cli.internal.SedgeCommand;
import io.sedge.cli.internal.Surroundings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The {@code sedge} program: everything is wired here. The launcher says with the system properties
 * {@code sedge.out} and {@code sedge.err} whether standard output and standard error are terminals.
 */
public final class Main {
  private static final String TERMINAL = "terminal";

  /** Held on to, since loggers that nobody refers to forget their level. */
  private static final Logger LIBRARIES = Logger.getLogger("");

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    if (System.getenv().getOrDefault("SEDGE_DEBUG", "").isEmpty()) {
      LIBRARIES.setLevel(Level.OFF);
    }
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    int code = SedgeCommand.execute(surroundings(exitCode), args);
    exitCode.complete(code);
    System.exit(code);
  }

  private static Surroundings surroundings(CompletableFuture<Integer> exitCode) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return new Surroundings(
        System.in,
        out,
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.getProperty("sedge.out", "").equals(TERMINAL),
        System.getProperty("sedge.err", "").equals(TERMINAL),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        Posix::screen,
        InstantSource.system(),
        System::nanoTime,
        interruptions(exitCode));
  }

  /**
   * On SIGINT, SIGTERM and SIGHUP the virtual machine runs this hook: it asks the command to end
   * and waits until it has, then the process ends with the command's own exit code. If the command
   * ends by itself, the hook has nothing to do.
   */
  private static Interruptions interruptions(CompletableFuture<Integer> exitCode) {
    return stop ->
        Runtime.getRuntime()
            .addShutdownHook(
                Thread.ofPlatform()
                    .name("sedge-stop")
                    .unstarted(
                        () -> {
                          if (exitCode.isDone()) {
                            return;
                          }
                          Posix.defaultInterrupt();
                          stop.run();
                          Runtime.getRuntime().halt(exitCode.join());
                        }));
  }
}
