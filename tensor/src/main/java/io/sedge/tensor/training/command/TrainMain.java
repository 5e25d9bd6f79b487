package io.sedge.tensor.training.command;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import io.sedge.tensor.training.TrainingException;
import io.sedge.tensor.training.cluster.ClusterLostException;
import io.sedge.tensor.training.data.DataException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The program behind {@code sedge train}. Exit codes: 0 trained; 1 the training failed; 2 what was
 * asked is wrong, data included; 130 interrupted.
 */
public final class TrainMain {
  private static final int EXIT_FAILED = 1;
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_INTERRUPTED = 130;
  private static final long END_PATIENCE_S = 5;

  /** Held on to, since loggers that nobody refers to forget their level. */
  private static final Logger LIBRARIES = Logger.getLogger("");

  private TrainMain() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    if (System.getenv("SEDGE_DEBUG") == null) {
      LIBRARIES.setLevel(Level.OFF);
    }
    PrintStream out = stream(FileDescriptor.out);
    PrintStream err = stream(FileDescriptor.err);
    boolean isTerminal = "terminal".equals(System.getProperty("sedge.out"));
    CountDownLatch end = new CountDownLatch(1);
    interruptOnSignal(Thread.currentThread(), end);
    int code = execute(out, err, isTerminal, NetworkNamespace.of(List.of(arguments)), arguments);
    out.flush();
    err.flush();
    end.countDown();
    // TensorFlow has threads that hang on servers that died.
    Runtime.getRuntime().halt(code);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  private static void interruptOnSignal(Thread main, CountDownLatch end) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  main.interrupt();
                  try {
                    boolean ended = end.await(END_PATIENCE_S, TimeUnit.SECONDS);
                    Runtime.getRuntime().halt(ended ? EXIT_INTERRUPTED : EXIT_FAILED);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "sedge-end"));
  }

  static int execute(
      PrintStream out,
      PrintStream err,
      boolean isTerminal,
      NetworkNamespace namespace,
      String... arguments) {
    CommandLine line = new CommandLine(new Train(out, err, isTerminal, namespace));
    line.addSubcommand("task", new TaskCommand(out, isTerminal));
    line.setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler(
        (e, ignored) -> {
          err.println("sedge train: " + e.getMessage());
          err.println("sedge train --help tells what there is");
          return EXIT_USAGE;
        });
    line.setExecutionExceptionHandler((e, ignored, parsed) -> report(err, e));
    return line.execute(arguments);
  }

  private static int report(PrintStream err, Exception error) {
    if (System.getenv("SEDGE_DEBUG") != null) {
      error.printStackTrace(err);
    }
    if (error instanceof InterruptedException || Thread.interrupted()) {
      err.println("sedge train: interrupted; the same command goes on from the last checkpoint");
      return EXIT_INTERRUPTED;
    }
    return switch (error) {
      case UsageException e -> say(err, e.getMessage(), EXIT_USAGE);
      case DataException e -> say(err, e.getMessage(), EXIT_USAGE);
      case ClusterResolutionException e -> say(err, e.getMessage(), EXIT_USAGE);
      case TrainingException e -> say(err, e.getMessage(), EXIT_FAILED);
      case ClusterLostException e -> say(err, e.getMessage(), EXIT_FAILED);
      case TensorFlowStatusException e -> say(err, e.getMessage(), EXIT_FAILED);
      case UncheckedIOException e -> say(err, e.getMessage(), EXIT_FAILED);
      case IOException e -> say(err, "input or output failed: " + e, EXIT_FAILED);
      case IllegalArgumentException e -> say(err, e.getMessage(), EXIT_USAGE);
      case IllegalStateException e -> say(err, e.getMessage(), EXIT_FAILED);
      default -> say(err, "failed: " + error + " (SEDGE_DEBUG=1 shows where)", EXIT_FAILED);
    };
  }

  private static int say(PrintStream err, @Nullable String message, int code) {
    for (String line : String.valueOf(message).lines().toList()) {
      err.println("sedge train: " + line);
    }
    return code;
  }

  /** {@code sedge train}. */
  @Command(
      name = "sedge train",
      sortOptions = false,
      usageHelpAutoWidth = true,
      description = {
        "Trains a model on a cluster of processes of this machine: TensorFlow's own servers, with",
        "variables in parameter servers and steps in workers. Any of them may die: it is started",
        "again and training goes on.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  sedge train --generate 10000          10 features, a label, no file needed",
        "  sedge train examples/turbine.yaml     what a training file says",
        "  sedge train task FILE                 one task of a cluster of several machines"
      })
  static final class Train implements Callable<Integer> {
    private final PrintStream out;
    private final PrintStream err;
    private final boolean isTerminal;
    private final NetworkNamespace namespace;

    @Spec private CommandSpec spec;

    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "FILE",
        description = "A training file (YAML): data, model, training, cluster.")
    private @Nullable Path file;

    @Option(
        names = "--generate",
        paramLabel = "ROWS",
        description = "Train on so many generated rows: 10 features, binary labels. No FILE then.")
    private @Nullable Integer generate;

    @Mixin private ChiefOptions chief = new ChiefOptions();

    @Option(names = "--workers", paramLabel = "N", description = "Workers in place of FILE's.")
    private @Nullable Integer workers;

    @Option(
        names = "--parameter-servers",
        paramLabel = "N",
        description = "Parameter servers in place of FILE's.")
    private @Nullable Integer parameterServers;

    @Option(names = "--epochs", paramLabel = "N", description = "Epochs in place of FILE's.")
    private @Nullable Integer epochs;

    @Option(
        names = "--open-network",
        description =
            "Do not run the cluster in a network of its own: its ports can be reached by others.")
    private boolean isOpen;

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this.")
    void help(boolean asked) {}

    @SuppressWarnings("NullAway.Init") // picocli sets spec
    Train(PrintStream out, PrintStream err, boolean isTerminal, NetworkNamespace namespace) {
      this.out = out;
      this.err = err;
      this.isTerminal = isTerminal;
      this.namespace = namespace;
    }

    @Override
    public Integer call() throws Exception {
      TrainingFile training = training();
      OptionalInt inside = isOpen ? OptionalInt.empty() : namespace.run(out, err);
      if (inside.isPresent()) {
        return inside.getAsInt();
      }
      try (LocalServers servers = new LocalServers()) {
        new ChiefRun(training, out, isTerminal, chief)
            .run(
                () ->
                    servers.start(
                        training.cluster().workers(),
                        training.cluster().parameterServers(),
                        training.output().toAbsolutePath().resolve("logs"),
                        out),
                null);
      }
      return 0;
    }

    private TrainingFile training() {
      if ((file == null) == (generate == null)) {
        throw new ParameterException(
            spec.commandLine(),
            "say what to train: a FILE, or --generate ROWS" + (file == null ? "" : ", not both"));
      }
      if (generate != null && (generate < 10 || chief.hasData())) {
        throw new ParameterException(
            spec.commandLine(),
            !chief.hasData()
                ? "--generate " + generate + ": 10 rows or more"
                : "--generate and --data: only one can be what is trained on");
      }
      TrainingFile training =
          file != null
              ? TrainingFile.read(file)
              : TrainingFile.generated(generate == null ? 0 : generate);
      return adjusted(training);
    }

    private TrainingFile adjusted(TrainingFile read) {
      TrainingFile training = chief.adjusted(read);
      if (epochs != null) {
        training = training.withEpochs(positive("--epochs", epochs, 1_000_000));
      }
      if (workers != null || parameterServers != null) {
        training =
            training.withTasks(
                workers == null
                    ? training.cluster().workers()
                    : positive("--workers", workers, TrainingFile.MOST_TASKS),
                parameterServers == null
                    ? training.cluster().parameterServers()
                    : positive("--parameter-servers", parameterServers, TrainingFile.MOST_TASKS));
      }
      return training;
    }

    private int positive(String option, int value, int most) {
      if (value < 1 || value > most) {
        throw new ParameterException(
            spec.commandLine(), option + " " + value + " is not from 1 to " + most);
      }
      return value;
    }
  }
}
