package io.sedge.tensor.training.command;

import io.sedge.tensor.runtime.PrivateNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Runs the command once more, in a network of its own, where the kernel permits it. This process
 * then only waits, and passes on its end.
 */
final class NetworkNamespace {
  /** Is set in the process inside. */
  private static final String INSIDE = "sedge.network";

  private static final Pattern NOTE =
      Pattern.compile("^(I0000 |WARNING: All log messages before absl::InitializeLog)");

  private final List<String> arguments;
  private final BooleanSupplier permitted;

  private NetworkNamespace(List<String> arguments, BooleanSupplier permitted) {
    this.arguments = arguments;
    this.permitted = permitted;
  }

  /** For the process of the command. */
  static NetworkNamespace of(List<String> arguments) {
    return new NetworkNamespace(arguments, () -> true);
  }

  /** Never runs anything. */
  static NetworkNamespace none() {
    return new NetworkNamespace(List.of(), () -> false);
  }

  /**
   * Runs the command inside and gives its exit code; empty if it goes on in this process, because
   * it is the one inside, or there can be no other network, which is told.
   */
  OptionalInt run(PrintStream out, PrintStream err) throws IOException, InterruptedException {
    if (!permitted.getAsBoolean()) {
      return OptionalInt.empty();
    }
    if (System.getProperty(INSIDE) != null) {
      out.println("network: private; nothing outside reaches the ports of this cluster");
      return OptionalInt.empty();
    }
    Optional<String> reason = PrivateNetwork.whyNot();
    if (reason.isPresent()) {
      out.println(
          "network: open; whoever reaches the ports of this cluster can run anything with its"
              + " rights, since it can have no network of its own here: "
              + reason.get());
      return OptionalInt.empty();
    }
    List<String> options =
        new java.util.ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    options.add("-D" + INSIDE + "=private");
    ProcessBuilder program =
        PrivateNetwork.program(TrainMain.class.getName(), options, arguments)
            .redirectInput(Redirect.INHERIT)
            .redirectOutput(Redirect.INHERIT);
    boolean isFiltered = System.getenv("SEDGE_DEBUG") == null;
    program.redirectError(isFiltered ? Redirect.PIPE : Redirect.INHERIT);
    Process inside = program.start();
    Thread errors = Thread.ofVirtual().start(() -> passOn(inside, err));
    try {
      return end(inside, errors);
    } catch (InterruptedException e) {
      inside.destroy();
      return end(inside, errors);
    }
  }

  private static OptionalInt end(Process inside, Thread errors) throws InterruptedException {
    int code = inside.waitFor();
    errors.join();
    return OptionalInt.of(code);
  }

  /** Leaves out TensorFlow's notes on itself, which no variable of its own leaves out. */
  private static void passOn(Process inside, PrintStream err) {
    try (BufferedReader lines = inside.errorReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!NOTE.matcher(line).find()) {
          err.println(line);
        }
      }
    } catch (IOException e) {
      err.println("sedge train: what the training says of errors cannot be read: " + e);
    }
  }
}
