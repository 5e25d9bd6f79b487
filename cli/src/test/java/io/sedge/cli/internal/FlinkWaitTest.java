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
import java.util.Queue;
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

  @TempDir Path directory;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<String> states = new ArrayDeque<>();
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
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    var _ = exchange.getRequestBody().readAllBytes();
    String answer = answer(exchange.getRequestURI().getPath());
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(
        answer.isEmpty() ? 404 : 200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
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
  }

  @Test
  void aJobThatStartsAgainAndAgainIsSaidWithItsCause() {
    states.add(VERTEX.formatted("RESTARTING", "CANCELED"));
    assertThat(submit(runner(), 2).err())
        .contains("job abc is RESTARTING: no topic; " + address() + "/#/job/running/abc/overview")
        .contains("(USER JOB_NOT_FINISHED)");
  }

  @Test
  void anInterruptEndsTheWaitingAndNotTheJob() {
    states.add(VERTEX.formatted("RUNNING", "SCHEDULED"));
    assertThat(submit(runner().interruptedAtOnce(), 2).err())
        .contains("job abc is RUNNING, and nobody waits for it any longer");
  }

  @Test
  void aJobThatTheClusterHasForgottenIsSaid() {
    assertThat(submit(runner(), 2).err()).contains("the cluster does not know job abc");
  }
}
