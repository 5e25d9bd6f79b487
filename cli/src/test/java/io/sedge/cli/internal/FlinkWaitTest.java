package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a job that was submitted, by a JobManager that says what a test wants. */
@Timeout(60)
class FlinkWaitTest {
  private static final String VERTEX = "{\"state\":\"%s\",\"vertices\":[{\"status\":\"%s\"}]}";

  private static final String INTERVAL = "execution.checkpointing.interval=10 s";

  @TempDir Path directory;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<String> states = new ArrayDeque<>();

  private final CountDownLatch ended = new CountDownLatch(1);

  /** What happens when something is asked for, which is not answered as long as the test runs. */
  private final Map<String, Runnable> asked = new ConcurrentHashMap<>();

  private volatile boolean deleted;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    Files.writeString(
        directory.resolve("job.sql"),
        """
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen');
        CREATE TABLE o (x INT) WITH ('connector' = 'print');
        INSERT INTO o SELECT x FROM a;
        """);
  }

  @AfterEach
  void stop() {
    ended.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    var _ = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    deleted |= exchange.getRequestMethod().equals("DELETE");
    Runnable first = asked.remove(path);
    if (first != null) {
      first.run();
      await(ended); // Else the answer may come first.
    }
    String answer = answer(path);
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(
        answer.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized String answer(String path) {
    return switch (path) {
      case "/config" -> "{\"flink-version\":\"2.3.0\"}";
      case "/jars/upload" -> "{\"filename\":\"/up/1.jar\"}";
      case "/jars/1.jar" -> "{}";
      case "/jars/1.jar/run" -> "{\"jobid\":\"abc\"}";
      case "/jobs/abc/exceptions" ->
          "{\"exceptionHistory\":{\"entries\":[{\"stacktrace\":\"java.io.IOException: no"
              + " topic\"}]}}";
      case "/jobs/abc" ->
          states.size() > 1 ? states.remove() : states.isEmpty() ? "" : states.element();
      default -> "";
    };
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private CommandRunner submit(CommandRunner runner, int exitCode, String... words) {
    List<String> all = new ArrayList<>(List.of("flink", "submit", "job.sql", "--to", address()));
    all.addAll(List.of(words));
    assertThat(runner.run(all.toArray(String[]::new))).as(runner.err()).isEqualTo(exitCode);
    return runner;
  }

  private CommandRunner runner() {
    return new CommandRunner(directory);
  }

  @Test
  void aJobIsWaitedForUntilAllOfItRuns() {
    states.addAll(
        List.of(
            "{\"state\":\"INITIALIZING\"}",
            VERTEX.formatted("RUNNING", "SCHEDULED"),
            VERTEX.formatted("RUNNING", "RUNNING")));
    CommandRunner runner = submit(runner(), 0);
    assertThat(runner.out())
        .isEqualTo(
            "job    abc%nstate  RUNNING%npage   %s/#/job/running/abc/overview%n"
                .formatted(address()));
    assertThat(states).hasSize(1);
    assertThat(runner.err()).contains("the job makes no checkpoints");
  }

  @Test
  void ofAJobThatEndsOneOperatorIsEnough() throws IOException {
    Files.writeString(
        directory.resolve("job.sql"),
        """
        SET 'execution.runtime-mode' = 'batch';
        CREATE TABLE a (x INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');
        CREATE TABLE o (x INT) WITH ('connector' = 'print');
        INSERT INTO o SELECT x FROM a;
        """);
    states.add(
        "{\"state\":\"RUNNING\",\"vertices\":[{\"status\":\"RUNNING\"},{\"status\":\"CREATED\"}]}");
    assertThat(submit(runner(), 0).err()).doesNotContain("checkpoints");
  }

  @Test
  void aLookThatFailsIsRepeatedAndTheIdIsSaidBeforeIt() {
    states.addAll(List.of("<html>", VERTEX.formatted("RUNNING", "RUNNING")));
    assertThat(submit(runner(), 0).err()).contains("the cluster has job abc: " + address());
  }

  @Test
  void whoDoesNotWaitIsToldHowTheJobIs() {
    states.add(VERTEX.formatted("CREATED", "CREATED"));
    CommandRunner runner = submit(runner(), 0, "--no-wait", "--output", "json");
    assertThat(runner.out()).contains("\"state\":\"CREATED\"").contains("\"job\":\"abc\"");
    assertThat(runner.err())
        .contains("the script SETs no 'execution.checkpointing.interval': unless the cluster's");
    assertThat(submit(runner(), 0, "--no-wait", "--set", INTERVAL).err())
        .doesNotContain("execution.checkpointing.interval");
  }

  /** Flink recovers from it: so does a site. */
  @Test
  void aJobThatIsBegunAnewIsWaitedForAndItsCauseSaid() {
    states.addAll(
        List.of(
            VERTEX.formatted("RESTARTING", "CANCELED"),
            VERTEX.formatted("RESTARTING", "CANCELED"),
            VERTEX.formatted("RUNNING", "CREATED"),
            VERTEX.formatted("RUNNING", "RUNNING")));
    CommandRunner runner = submit(runner(), 0);
    assertThat(runner.err())
        .containsOnlyOnce("job abc has failed, and Flink begins it anew: no topic");
    assertThat(runner.out()).contains("state  RUNNING");
  }

  @Test
  void aJobThatHasFailedIsSaidWithItsCause() {
    states.add(VERTEX.formatted("FAILED", "CANCELED"));
    assertThat(submit(runner(), 2).err())
        .contains("job abc is FAILED: no topic; " + address() + "/#/job/running/abc/overview")
        .contains("(USER JOB_NOT_FINISHED)");
  }

  @Test
  void anInterruptEndsTheWaitingAndNotTheJob() {
    states.add(VERTEX.formatted("RUNNING", "SCHEDULED"));
    CommandRunner runner = runner();
    asked.put("/jobs/abc", runner::interrupt);
    assertThat(submit(runner, 2).err())
        .contains("job abc is", ", and nobody waits for it any longer; " + address())
        .contains("(USER JOB_NOT_FINISHED)");
    assertThat(deleted).isTrue();
  }

  @Test
  void anInterruptWhileTheScriptIsPlannedRemovesTheJar() {
    CommandRunner runner = runner();
    asked.put("/jars/1.jar/run", runner::interrupt);
    assertThat(submit(runner, 2).err())
        .contains("the submission was interrupted while the JobManager planned the script")
        .doesNotContain("may still be in");
    assertThat(deleted).isTrue();
  }

  @Test
  void anInterruptBeforeTheUploadSendsNothing() {
    assertThat(submit(runner().interruptedAtOnce(), 2).err())
        .contains("the submission was interrupted: no job of it runs");
  }

  @Test
  void aJobThatTheClusterHasForgottenIsSaid() {
    assertThat(submit(runner(), 2).err()).contains("the cluster does not know job abc");
  }
}
