package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sedge.connector.filesystem.FilesystemConnector;
import io.sedge.connector.http.HttpConnector;
import io.sedge.ledger.JobState;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job has ended, and rows of it wait for a server that is away. */
@Timeout(600)
final class UndeliveredRowsTest {
  @TempDir private Path root;
  private final int port = Devices.freePorts();
  private Devices devices;
  private SiteControl site;

  @BeforeEach
  void submit() throws Exception {
    Files.createDirectories(root.resolve("in"));
    read("a", "1", "2");
    devices = new Devices(root).with(new FilesystemConnector(), new HttpConnector());
    site = devices.start("a").control();
    site.submit("plant", script());
    devices.until("two rows wait", () -> job().waitingRows() == 2);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private void read(String file, String... lines) throws Exception {
    Path whole = root.resolve(file);
    Files.write(whole, List.of(lines));
    Files.move(whole, root.resolve("in").resolve(file + ".csv"));
  }

  private String script() {
    return """
    SET 'sedge.on-row-failure' = 'fail';
    CREATE TABLE numbers (n INT) WITH ('connector' = 'filesystem', 'path' = '%s',
      'format' = 'csv', 'source.monitor-interval' = '100 ms');
    CREATE TABLE web (tenth INT) WITH ('connector' = 'http', 'url' = 'http://127.0.0.1:%d/',
      'format' = 'json');
    INSERT INTO web SELECT 10 / n FROM numbers;
    """
        .formatted(root.resolve("in").toUri(), port);
  }

  private JobStatus job() throws SiteException {
    return site.jobs().getFirst();
  }

  private void assertRefused(ThrowingCallable what, String state) {
    assertThatThrownBy(what)
        .isInstanceOf(SiteException.class)
        .hasMessageStartingWith("job plant is " + state)
        .hasMessageContaining("not all of its rows are delivered: 2 rows to go")
        .hasMessageContaining("`sedge job logs plant` says so if they cannot be written")
        .hasMessageEndingWith("`sedge job remove plant --discard-rows`");
  }

  // Waiting alone would not help; what helps is said, and does.
  @Test
  void theRowsOfAJobThatHasFailedAreDeliveredWhenTheServerIsBack() throws Exception {
    read("b", "0");
    devices.until("it has failed", () -> job().state() == JobState.FAILED);
    assertRefused(() -> site.removeJob("plant", false), "FAILED (task ");
    assertRefused(() -> site.submit("plant", script()), "FAILED (task ");

    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try {
      devices.until("all are delivered", () -> job().waitingRows() == 0);
    } finally {
      server.stop(0);
    }
    assertThat(site.removeJob("plant", false)).isZero();
  }

  @Test
  void whoeverLosesRowsIsToldHowMany() throws Exception {
    site.stop("plant");
    assertRefused(() -> site.removeJob("plant", false), "STOPPED");
    assertThat(site.removeJob("plant", true)).isEqualTo(2);
    assertThat(site.jobs()).isEmpty();
  }
}
