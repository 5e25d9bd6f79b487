package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A site of three real processes: how it comes together, and whom it refuses. */
@Timeout(900)
final class SiteSecurityTest {
  private static final long MOST_GROWTH_KIB = 48 << 10;

  /** Connections to each port. */
  private static final int NOISE = 2_000;

  @TempDir private Path directory;
  private Sedge sedge;
  private SiteProcesses site;

  @BeforeEach
  void make() {
    sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge, SiteNetwork.loopback());
  }

  @Test
  void threeProcessesBecomeASiteAndAnExpelledOneCannotComeBack() throws Exception {
    try (SedgeProcess a = site.device("a", SiteProcesses.freePorts(), "start")) {
      SiteProcesses.awaitUp(a);
      String[] token = site.joining("a");
      try (SedgeProcess b = site.device("b", SiteProcesses.freePorts(), token);
          SedgeProcess c = site.device("c", SiteProcesses.freePorts(), site.joining("a"))) {
        SiteProcesses.awaitUp(b);
        SiteProcesses.awaitUp(c);
        b.until(
            () ->
                site.answer("site", "status", "--data", "b", "--output", "json")
                    .contains("\"voters\":3"),
            () -> "three that vote");
        try (SedgeProcess again = site.device("d", SiteProcesses.freePorts(), token)) {
          assertThat(again.exitCode()).as("a token is used once").isEqualTo(2);
          again.awaitMessage("the token has been used by another device");
        }
        site.answer("device", "expel", "c", "--data", "a");
        c.awaitMessage("device c is not of this site any more");
        assertThat(c.exitCode()).isEqualTo(2);
        try (SedgeProcess renamed =
            site.device("c", SiteProcesses.freePorts(), site.joining("a"))) {
          assertThat(renamed.exitCode()).as("its directory is that of a device").isEqualTo(2);
        }
        try (SedgeProcess fresh =
            sedge.start(
                site.command("c-again", "c", SiteProcesses.freePorts(), site.joining("a")))) {
          assertThat(fresh.exitCode()).isEqualTo(2);
          fresh.awaitMessage("c was expelled from this site");
        }
        b.kill();
        try (SedgeProcess back = sedge.start("device", "start", "--data", "b")) {
          SiteProcesses.awaitUp(back);
          back.until(
              () ->
                  site.answer("site", "status", "--data", "b", "--output", "json")
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

  /** Some thousand connections of nonsense to both ports, with a small heap. */
  @Test
  void memoryIsFlatUnderNoiseAndTheDeviceGoesOn() throws Exception {
    int port = SiteProcesses.freePorts();
    try (SedgeProcess a = site.device("a", port, "start")) {
      SiteProcesses.awaitUp(a);
      noise(port, NOISE); // A device that has just started takes more for a while, whatever comes.
      noise(port + 1, NOISE);
      long before = a.residentKiB();
      noise(port, NOISE);
      noise(port + 1, NOISE);
      long after = a.residentKiB();
      System.out.printf(
          "%,d connections of noise: %,d KiB resident before, %,d after%n",
          2 * NOISE, before, after);
      assertThat(after - before).as(a::toString).isLessThan(MOST_GROWTH_KIB);
      assertThat(a.err().stream().filter(line -> line.contains("refused 127.0.0.1")).count())
          .as("said seldom")
          .isLessThan(20);
      int second = SiteProcesses.freePorts();
      a.until(
          () -> {
            try (SedgeProcess b = site.device("b", second, site.joining("a"))) {
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
