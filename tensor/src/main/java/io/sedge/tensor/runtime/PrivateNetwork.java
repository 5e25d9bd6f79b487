package io.sedge.tensor.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A network of its own for a cluster on one machine, which no other program of the machine's
 * network can reach: a network namespace of Linux with nothing but a loopback interface.
 *
 * <p>A program cannot move there; it is started there. So the whole cluster runs inside: {@link
 * #program} starts the coordinator's program, and the {@link ServerProcess}es that it starts share
 * its network. Nothing inside reaches the outside either: data comes from files, and what the
 * program has to say goes through files or its standard streams.
 *
 * <p>Needs no rights where the kernel lets users make user namespaces, and the program {@code
 * unshare} of util-linux. Inside, the user seems to be root, and has the rights over files that it
 * has outside. Root, and other programs of the same user, can enter the namespace.
 */
public final class PrivateNetwork {
  private static final List<String> UNSHARE =
      List.of("unshare", "--user", "--map-root-user", "--net", "--");
  private static final Duration TRIAL = Duration.ofSeconds(10);

  private PrivateNetwork() {}

  /**
   * Why there can be no such network here, for people; empty if there can be one. Tries it out.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public static Optional<String> whyNot() throws InterruptedException {
    List<String> trial = new ArrayList<>(UNSHARE);
    trial.add("true");
    try {
      Process process = new ProcessBuilder(trial).redirectErrorStream(true).start();
      if (!process.waitFor(TRIAL.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return Optional.of("`" + String.join(" ", trial) + "` does not end");
      }
      if (process.exitValue() == 0) {
        return Optional.empty();
      }
      String says =
          new String(process.getInputStream().readNBytes(1_000), StandardCharsets.UTF_8).strip();
      return Optional.of("`" + String.join(" ", trial) + "` fails: " + says);
    } catch (IOException e) {
      return Optional.of("there is no program unshare (util-linux): " + e.getMessage());
    }
  }

  /**
   * A program to be started in a network of its own: a JVM like this one, with its class path.
   * Loopback is up when {@code main} is called. Ports inside and outside have nothing to do with
   * each other.
   *
   * @param mainClass the class whose {@code main} is run
   * @param jvmArguments arguments of the JVM
   * @param arguments arguments of {@code main}
   */
  public static ProcessBuilder program(
      String mainClass, List<String> jvmArguments, List<String> arguments) {
    List<String> command = new ArrayList<>(UNSHARE);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(UserHome.arguments());
    command.addAll(jvmArguments);
    command.add(PrivateNetworkMain.class.getName());
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder program = new ProcessBuilder(command);
    program.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return program;
  }

  /** Whether this process has no network but loopback, as a program of {@link #program} has. */
  public static boolean isInside() {
    return !Exposure.isOnNetwork();
  }
}
