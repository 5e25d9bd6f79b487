package io.sedge.cli;

import io.sedge.cli.internal.Interruptions;
import io.sedge.cli.internal.MessageStream;
import io.sedge.cli.internal.Posix;
import io.sedge.cli.internal.SedgeCommand;
import io.sedge.cli.internal.Surroundings;
import io.sedge.task.FailureClass;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

  private static final OutputStream ERR = new FileOutputStream(FileDescriptor.err);

  private static final Duration LAST_WORD_PATIENCE = Duration.ofMillis(500);

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    if (!showsLogs(args, System.getenv())) {
      LIBRARIES.setLevel(Level.OFF);
    }
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    int code;
    try (PrintStream err = new PrintStream(new MessageStream(ERR), true, StandardCharsets.UTF_8)) {
      System.setErr(err); // For the logs of libraries.
      code = SedgeCommand.execute(surroundings(err, exitCode), args);
      var _ = Thread.interrupted(); // The last words are waited for all the same.
    }
    exitCode.complete(code);
    System.exit(code);
  }

  /** Whether the logs of libraries go to standard error. */
  static boolean showsLogs(String[] args, Map<String, String> environment) {
    return !environment.getOrDefault("SEDGE_DEBUG", "").isEmpty()
        || List.of(args).contains("--debug");
  }

  private static Surroundings surroundings(PrintStream err, CompletableFuture<Integer> exitCode) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return new Surroundings(
        System.in,
        out,
        err,
        System.getProperty("sedge.out", "").equals(TERMINAL),
        System.getProperty("sedge.err", "").equals(TERMINAL),
        System.getenv(),
        Path.of("").toAbsolutePath(),
        Posix::screen,
        InstantSource.system(),
        System::nanoTime,
        interruptions(exitCode),
        Main::askForSecret);
  }

  /** Standard output may be a pipe where standard input is a terminal: then echo stays on. */
  private static Optional<String> askForSecret(String question) {
    if (!System.getProperty("sedge.in", "").equals(TERMINAL)) {
      return Optional.empty();
    }
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(() -> new IllegalStateException("this terminal would show what is typed"));
    char[] typed = console.readPassword("%s", question);
    return Optional.of(typed == null ? "" : new String(typed));
  }

  /**
   * On SIGINT, SIGTERM and SIGHUP the virtual machine runs this hook: it asks the command to end
   * and waits until it has, then the process ends with the command's own exit code. If the command
   * ends by itself, the hook has nothing to do. A command that has not ended after its patience is
   * not waited for any longer: whatever holds it up, the process ends.
   */
  private static Interruptions interruptions(CompletableFuture<Integer> exitCode) {
    return (stop, patience) ->
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
                          Thread.ofPlatform().daemon().name("sedge-stop-command").start(stop);
                          Runtime.getRuntime().halt(await(exitCode, patience));
                        }));
  }

  private static int await(CompletableFuture<Integer> exitCode, Duration patience) {
    try {
      return exitCode.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException | ExecutionException e) {
      // Standard error may be what is stuck, so nothing waits for this either.
      Thread saying =
          Thread.ofPlatform().daemon().name("sedge-last-word").start(() -> sayStuck(patience));
      try {
        var _ = saying.join(LAST_WORD_PATIENCE);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      return FailureClass.INTERNAL.exitCode();
    }
  }

  private static void sayStuck(Duration patience) {
    new PrintStream(ERR, true, StandardCharsets.UTF_8)
        .printf(
            "sedge: error: the command has not ended within %d s, so the process is ended%n",
            patience.toSeconds());
  }
}
