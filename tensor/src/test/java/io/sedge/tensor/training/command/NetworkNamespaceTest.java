package io.sedge.tensor.training.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.tensor.runtime.PrivateNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sedge train} as a user starts it: a process that starts the training's. */
@Timeout(120)
class NetworkNamespaceTest {
  @TempDir private Path folder;

  private static Process train(Path output, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            TrainMain.class.getName(),
            "--generate",
            "1000",
            "--workers",
            "1",
            "--output",
            output.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "3");
    return builder.start();
  }

  /** The port of the parameter server, once it is said. */
  private static int port(BufferedReader lines, List<String> seen) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
      if (line.startsWith("ps 0: grpc://")) {
        return Integer.parseInt(line.replaceAll(".*127.0.0.1:(\\d+),.*", "$1"));
      }
    }
    return Assertions.fail("it ended: " + seen);
  }

  private static List<String> rest(Process process, BufferedReader lines, List<String> seen)
      throws IOException, InterruptedException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
    }
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("it said %s", seen).isZero();
    return seen;
  }

  private static boolean connects(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 2_000);
      return true;
    } catch (IOException e) {
      return false; // Refused, or nobody there at all.
    }
  }

  @Test
  void aTrainingHasItsOwnNetworkWhereTheKernelPermits() throws IOException, InterruptedException {
    Optional<String> reason = PrivateNetwork.whyNot();
    Assumptions.assumeTrue(reason.isEmpty(), () -> "no private network here: " + reason);
    Process process = train(folder.resolve("private"), "--epochs", "40");
    List<String> seen = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      int port = port(lines, seen);
      assertThat(connects("127.0.0.1", port)).isFalse();
      for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
        try (Stream<java.net.InetAddress> addresses = each.inetAddresses()) {
          for (java.net.InetAddress address : addresses.toList()) {
            assertThat(connects(address.getHostAddress(), port)).as("%s", address).isFalse();
          }
        }
      }
      assertThat(rest(process, lines, seen))
          .contains("network: private; nothing outside reaches the ports of this cluster")
          .noneMatch(line -> line.startsWith("I0000"))
          .noneMatch(line -> line.contains("absl"));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void anOpenNetworkIsWhatWasAskedFor() throws IOException, InterruptedException {
    Process process = train(folder.resolve("open"), "--epochs", "40", "--open-network");
    List<String> seen = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(connects("127.0.0.1", port(lines, seen))).isTrue();
      assertThat(rest(process, lines, seen)).noneMatch(line -> line.startsWith("network:"));
    } finally {
      process.destroyForcibly();
    }
  }
}
