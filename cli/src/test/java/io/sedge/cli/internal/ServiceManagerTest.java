package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What systemd hears: sd_notify(3). */
@Timeout(60)
class ServiceManagerTest {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @TempDir Path directory;

  @Test
  void systemdHearsThatTheServiceIsReadyWorksAndEnds() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    AtomicBoolean works = new AtomicBoolean(true);
    Semaphore asked = new Semaphore(0);
    try (ServiceManager manager =
        new ServiceManager(
            Map.of("NOTIFY_SOCKET", "/run/systemd/notify", "WATCHDOG_USEC", "30000"), heard::add)) {
      manager.ready(
          "device a\nMAINPID=1",
          () -> {
            asked.release();
            return works.get();
          });
      assertThat(heard.take()).isEqualTo("READY=1\nSTATUS=device a·MAINPID=1");
      assertThat(heard.take()).isEqualTo("WATCHDOG=1");
      assertThat(heard.take()).isEqualTo("WATCHDOG=1");
      works.set(false);
      asked.drainPermits();
      asked.acquire(2);
      heard.clear(); // What was under way when it ceased to work.
      asked.acquire(2);
      assertThat(heard).as("nothing is said of a device that does not work").isEmpty();
      manager.stopping();
      assertThat(heard.take()).isEqualTo("STOPPING=1");
    }
  }

  @Test
  void withoutSystemdNothingIsSaid() {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    try (ServiceManager manager = new ServiceManager(Map.of("WATCHDOG_USEC", "1000"), heard::add)) {
      manager.ready("device a", () -> true);
      manager.stopping();
    }
    assertThat(heard).isEmpty();
  }

  /** The JDK has no datagrams of the file system, so the C library sends them, to a real socket. */
  @Test
  void aDatagramArrivesAtASocketOfTheFileSystemAndOfTheAbstractNameSpace() throws Exception {
    assumeTrue(Files.isExecutable(PYTHON), "there is no python3 to receive it");
    for (String name :
        List.of(directory.resolve("socket").toString(), "@sedge-" + System.nanoTime())) {
      String program =
          """
          import socket, sys
          name = sys.argv[1]
          s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
          s.bind('\\0' + name[1:] if name[0] == '@' else name)
          print('bound', flush=True)
          s.settimeout(30)
          sys.stdout.write(s.recv(4096).decode())
          """;
      Process receiver =
          new ProcessBuilder(PYTHON.toString(), "-c", program, name)
              .redirectErrorStream(true)
              .start();
      try {
        assertThat(receiver.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("bound");
        assertThat(Posix.sendDatagram(name, "READY=1\nSTATUS=größer")).isTrue();
        assertThat(receiver.inputReader(StandardCharsets.UTF_8).lines())
            .containsExactly("READY=1", "STATUS=größer");
      } finally {
        receiver.destroyForcibly();
      }
    }
    assertThat(Posix.sendDatagram(directory.resolve("nobody").toString(), "x")).isFalse();
    assertThat(Posix.sendDatagram("", "x")).isFalse();
    assertThat(Posix.sendDatagram("/" + "a".repeat(200), "x")).isFalse();
  }
}
