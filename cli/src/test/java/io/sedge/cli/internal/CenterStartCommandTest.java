package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a center says as it starts: secrets go to whoever has typed the command, and to no log. */
@Timeout(120)
class CenterStartCommandTest {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  @TempDir Path directory;

  private CommandRunner startedUntil(String text, CommandRunner runner) throws Exception {
    return started(text, runner, "--listen", freeAddress());
  }

  private CommandRunner startedWith(String text, String... options) throws Exception {
    return started(text, new CommandRunner(directory), options);
  }

  /** Starts a center, waits until it has said a text, and stops it. */
  private static CommandRunner started(String text, CommandRunner runner, String... options)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("center", "start", "--data", "c"));
    command.addAll(List.of(options));
    CompletableFuture<Integer> end =
        CompletableFuture.supplyAsync(() -> runner.run(command.toArray(String[]::new)));
    while (!runner.err().contains(text) && !end.isDone()) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    runner.interrupt();
    assertThat(end.get(30, TimeUnit.SECONDS)).as(runner.err()).isZero();
    return runner;
  }

  /** Of two ports, as the center needs the next one too, below those that systems give out. */
  private static String freeAddress() throws IOException {
    SplittableRandom random = new SplittableRandom();
    while (true) {
      int port = random.nextInt(10_000, 20_000);
      InetAddress loopback = InetAddress.getLoopbackAddress();
      try (ServerSocket _ = new ServerSocket(port, 1, loopback);
          ServerSocket _ = new ServerSocket(port + 1, 1, loopback)) {
        return "127.0.0.1:" + port;
      } catch (BindException e) {
        // Somebody has one of them; others are free.
      }
    }
  }

  @Test
  void inATerminalTheFirstTokenAndTheFirstLinkAreShown() throws Exception {
    CommandRunner runner =
        startedUntil("type this on a device", new CommandRunner(directory).inTerminal());
    assertThat(runner.err())
        .contains("sedge site report --to 127.0.0.1:", " --token sedge-", "/#/first?code=");
    assertThat(runner.out()).isEmpty();
  }

  @Test
  void inALogItIsSaidHowTheyAreMade() throws Exception {
    CommandRunner runner = startedUntil("no site reports yet", new CommandRunner(directory));
    String data = " --data " + directory.resolve("c");
    assertThat(runner.err())
        .contains("sedge center person add NAME --role admin" + data, "sedge center token" + data)
        .doesNotContain("code=", "code\"", "--token");
    assertThat(runner.out()).isEmpty();
  }

  /** Sites go on reporting where they were told to. */
  @Test
  void anAddressIsKeptForLaterStarts() throws Exception {
    String first = freeAddress();
    String named = first.replace("127.0.0.1", "localhost");
    var _ = startedWith("sites report to " + named, "--listen", first, "--name", "localhost");
    CommandRunner again = startedWith("sites report to " + named);
    assertThat(again.err()).contains("listens at " + first + ", as before; --listen changes it");
    String other = freeAddress();
    var _ = startedWith("sites report to " + other, "--listen", other);
    var _ = startedWith("sites report to " + other);
  }

  /** Nobody starts a center with a provider that is not the one that was meant. */
  @Test
  void aFileOfAProviderThatOthersReadOrThatIsWrongIsRefused() throws Exception {
    Path file =
        Files.writeString(directory.resolve("oidc.properties"), "issuer = http://id.example.com");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(refused())
        .contains("--oidc=oidc.properties can be read by other users", "chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(refused())
        .contains("--oidc=oidc.properties: issuer=http://id.example.com", "client-id is missing");
    Files.writeString(file, "issuer = a\nisuer = b\n");
    assertThat(refused()).contains("isuer is not one of", "did you mean issuer?");
    Files.writeString(file, "role.admin = a\nrole.admin = b\n");
    assertThat(refused()).contains("--oidc=oidc.properties: role.admin stands there twice");
    Files.delete(file);
    assertThat(refused()).contains("--oidc=oidc.properties cannot be read: there is no such file");
  }

  private String refused() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("center", "start", "--data", "c", "--oidc", "oidc.properties"))
        .isEqualTo(2);
    return runner.err();
  }
}
