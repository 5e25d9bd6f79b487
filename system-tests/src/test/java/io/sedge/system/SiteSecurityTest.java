package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A site of three real processes: how it comes together, and whom it refuses. */
@Timeout(300)
final class SiteSecurityTest {
  private static final String HOST = "127.0.0.1";
  private static final int HEAP_MIB = 64;
  private static final long MOST_GROWTH_KIB = 48 << 10;

  @TempDir private Path directory;
  private Sedge sedge;

  @BeforeEach
  void make() {
    sedge = Sedge.in(directory);
  }

  /** A port that nobody had a moment ago, and neither the next. */
  private static int freePorts() throws IOException {
    IOException last = new IOException();
    for (int attempt = 0; attempt < 100; attempt++) {
      try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          ServerSocket second =
              new ServerSocket(first.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress())) {
        return second.getLocalPort() - 1;
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private SedgeProcess device(String name, int port, String... command) {
    List<String> all = new java.util.ArrayList<>(List.of("device"));
    all.addAll(List.of(command));
    all.addAll(List.of("--data", name, "--name", name, "--listen", HOST + ":" + port));
    return sedge.startPiped(Map.of("SEDGE_HEAP", HEAP_MIB + "m"), all.toArray(String[]::new));
  }

  /** What a command answered. */
  private String answer(String... command) {
    try (SedgeProcess process = sedge.start(command)) {
      assertThat(process.exitCode()).as(process::toString).isZero();
      return String.join("\n", process.out());
    }
  }

  private String[] joining(String data) {
    List<String> words = List.of(answer("device", "token", "--data", data).split(" "));
    return words.subList(2, words.size()).toArray(String[]::new);
  }

  private static void awaitUp(SedgeProcess device) {
    device.awaitMessage("it runs until Ctrl-C");
  }

  @Test
  void threeProcessesBecomeASiteAndAnExpelledOneCannotComeBack() throws Exception {
    try (SedgeProcess a = device("a", freePorts(), "start")) {
      awaitUp(a);
      String[] token = joining("a");
      try (SedgeProcess b = device("b", freePorts(), token);
          SedgeProcess c = device("c", freePorts(), joining("a"))) {
        awaitUp(b);
        awaitUp(c);
        b.until(
            () ->
                answer("site", "status", "--data", "b", "--output", "json")
                    .contains("\"voters\":3"),
            () -> "three that vote");
        try (SedgeProcess again = device("d", freePorts(), token)) {
          assertThat(again.exitCode()).as("a token is used once").isEqualTo(2);
          again.awaitMessage("the token has been used by another device");
        }
        answer("device", "expel", "c", "--data", "a");
        c.awaitMessage("device c is not of this site any more");
        assertThat(c.exitCode()).isEqualTo(2);
        try (SedgeProcess renamed = device("c", freePorts(), joining("a"))) {
          assertThat(renamed.exitCode()).as("its directory is that of a device").isEqualTo(2);
        }
        try (SedgeProcess fresh = sedge.start(join("c-again", "c", freePorts(), joining("a")))) {
          assertThat(fresh.exitCode()).isEqualTo(2);
          fresh.awaitMessage("c was expelled from this site");
        }
        b.kill();
        try (SedgeProcess back = sedge.start("device", "start", "--data", "b")) {
          awaitUp(back);
          back.until(
              () ->
                  answer("site", "status", "--data", "b", "--output", "json")
                      .contains("\"state\":\"EXPELLED\""),
              () -> "b hears of it");
          back.terminate();
          assertThat(back.exitCode()).as(back::toString).isZero();
        }
        a.terminate();
        assertThat(a.exitCode()).as(a::toString).isZero();
      }
    }
  }

  private static String[] join(String data, String name, int port, String... joining) {
    List<String> all = new java.util.ArrayList<>(List.of("device"));
    all.addAll(List.of(joining));
    all.addAll(List.of("--data", data, "--name", name, "--listen", HOST + ":" + port));
    return all.toArray(String[]::new);
  }

  /** Some thousand connections of nonsense to both ports, with a small heap. */
  @Test
  void memoryIsFlatUnderNoiseAndTheDeviceGoesOn() throws Exception {
    int port = freePorts();
    try (SedgeProcess a = device("a", port, "start")) {
      awaitUp(a);
      noise(port, 200);
      noise(port + 1, 200);
      long before = a.residentKiB();
      noise(port, 2_000);
      noise(port + 1, 2_000);
      long after = a.residentKiB();
      System.out.printf(
          "4,000 connections of noise: %,d KiB resident before, %,d after%n", before, after);
      assertThat(after - before).as(a::toString).isLessThan(MOST_GROWTH_KIB);
      assertThat(a.err().stream().filter(line -> line.contains("refused 127.0.0.1")).count())
          .as("said seldom")
          .isLessThan(20);
      int second = freePorts();
      a.until(
          () -> {
            try (SedgeProcess b = device("b", second, joining("a"))) {
              b.until(
                  () -> !b.isRunning() || b.err().toString().contains("it runs until Ctrl-C"),
                  () -> "b joins");
              return b.isRunning();
            }
          },
          () -> "another one joins");
    }
  }

  private static void noise(int port, int connections) {
    byte[] random = new byte[10_000];
    new Random(port).nextBytes(random);
    byte[] http = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < connections; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(i % 2 == 0 ? random : http);
      } catch (IOException e) {
        assertThat(e).as("closed by the device").isNotNull();
      }
    }
  }
}
