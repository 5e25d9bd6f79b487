package io.sedge.flink.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sedge.flink.cluster.internal.Patience;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of JobManagers that are gone, old, something else, or at fault. */
@Timeout(60)
class FlinkClusterTest {
  private static final FlinkScript SCRIPT =
      new FlinkScript(
          "plant",
          Map.of("table.local-time-zone", new FlinkScript.Setting("UTC", 0)),
          List.of(new FlinkScript.Step(1, "CREATE TABLE t", true)),
          List.of(new FlinkScript.Step(2, "INSERT INTO t", false)),
          Set.of(),
          Set.of("mqtt"),
          Set.of(),
          List.of());

  @TempDir Path directory;

  private JobManager jobManager;
  private FlinkCluster cluster;

  @BeforeEach
  void start() throws IOException {
    jobManager = new JobManager();
    cluster = cluster(jobManager.address(), Optional.of("Bearer t"));
  }

  private static FlinkCluster cluster(URI address, Optional<String> authorization) {
    return cluster(address, authorization, Duration.ofSeconds(20));
  }

  private static FlinkCluster cluster(
      URI address, Optional<String> authorization, Duration patience) {
    return new FlinkCluster(
        address, Optional.empty(), authorization, new Patience(patience, patience));
  }

  /** For one that will not answer. */
  private void hurry() {
    cluster.close();
    cluster = cluster(jobManager.address(), Optional.empty(), Duration.ofMillis(300));
  }

  private final List<String> remarks = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    cluster.close();
    jobManager.close();
  }

  @Test
  void aScriptIsUploadedRunAndItsJarRemoved() throws Exception {
    assertThat(cluster.check()).isEqualTo("2.3.0");
    assertThat(submit(Map.of("mqtt", "hunter2", "other", "no"))).isEqualTo("abc");
    assertThat(jobManager.lines())
        .containsExactly(
            "GET /config",
            "POST /jars/upload",
            "POST /jars/1_job.jar/run",
            "DELETE /jars/1_job.jar");
    assertThat(jobManager.requests())
        .allMatch(request -> request.authorization().equals("Bearer t"));
    assertThat(text(1)).contains("name=\"jarfile\"; filename=\"sedge-");
    assertThat(text(2))
        .contains("\"entryClass\":\"io.sedge.flink.runner.ScriptRunner\"")
        .containsPattern("\"jobId\":\"[0-9a-f]{32}\"")
        .doesNotContain("hunter2");
  }

  private String submit(Map<String, String> secrets) throws Exception {
    return cluster.submit(SCRIPT, secrets, List.of(), remarks::add);
  }

  private String text(int request) {
    return jobManager.requests().get(request).body();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | {"flink-version":"1.20.1"}  | USAGE        | has Flink 1.20.1; scripts of Sedge's are for Flink 2.3
          200 | {"flink-version":"2.30.0"}  | USAGE        | has Flink 2.30.0
          200 | {"flink-version":"2.3.1","features":{"web-submit":false}} | USAGE | web.submit.enable: false
          200 | {}                          | USAGE        | not as the REST of a JobManager does (HTTP 200)
          200 | []                          | USAGE        | not as the REST of a JobManager does (HTTP 200)
          404 | {"errors":["Not found."]}   | USAGE        | not as the REST of a JobManager does (HTTP 404)
          401 | {}                          | JOIN_REFUSED | does not let this login in (HTTP 401)
          403 | no                          | JOIN_REFUSED | does not let this login in (HTTP 403)
          302 | x                           | USAGE        | sends on to https://login.plant/ (HTTP 302)
          500 | {"errors":["no leader\\nat x"]} | CONNECTION_FAILED | answers /config with HTTP 500: no leader
          503 | busy                        | CONNECTION_FAILED | answers /config with HTTP 503: busy
          """)
  void anotherAnswerIsSaid(int status, String body, FailureCode code, String message) {
    jobManager.json("GET /config", status, body);
    failsWith(code, message);
  }

  @Test
  void aPageIsNoJobManager() {
    jobManager.html("GET /config", 200, "<!DOCTYPE html><title>Grafana</title>");
    failsWith(FailureCode.USAGE, "answers, but not as the REST of a JobManager does (HTTP 200)");
  }

  private void failsWith(FailureCode code, String message) {
    JobException failure = catchThrowableOfType(JobException.class, () -> cluster.check());
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.code()).isEqualTo(code);
  }

  @Test
  void oneThatHangsIsNotWaitedForForEver() {
    hurry();
    jobManager.silent("GET /config");
    failsWith(FailureCode.CONNECTION_FAILED, "does not answer within");
    jobManager.stopping("GET /config");
    failsWith(FailureCode.CONNECTION_FAILED, "does not answer within");
  }

  @Test
  void oneThatIsGoneIsSaid() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    try (FlinkCluster gone = cluster(URI.create("http://127.0.0.1:" + port), Optional.empty())) {
      assertThatThrownBy(gone::check)
          .hasMessageStartingWith(
              "the JobManager at http://127.0.0.1:%d cannot be reached".formatted(port));
    }
  }

  /** In the words of TLS alone nobody would know what to do. */
  @Test
  void httpWhereHttpsIsAskedForIsSaid() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        FlinkCluster tls =
            cluster(URI.create("https://127.0.0.1:" + plain.getLocalPort()), Optional.empty())) {
      Thread answering =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Socket socket = plain.accept()) {
                      // As a server of HTTP, which answers what it is asked. Where the answer comes
                      // first the client may wait for another one until its time is up.
                      var _ = socket.getInputStream().read();
                      socket.getOutputStream().write("HTTP/1.1 400 Bad\r\n\r\n".getBytes(US_ASCII));
                      // All of it: a close with bytes unread resets the connection.
                      var _ = socket.getInputStream().readAllBytes();
                    } catch (IOException e) {
                      // The client has closed it.
                    }
                  });
      assertThatThrownBy(tls::check)
          .hasMessageContaining("speaks no TLS")
          .hasMessageContaining("--ca");
      answering.join();
    }
  }

  @Test
  void aFileOfCertificatesMustHaveSome() throws IOException {
    Path empty = Files.createFile(directory.resolve("ca.pem"));
    assertThatThrownBy(
            () -> FlinkCluster.of(jobManager.address(), Optional.of(empty), Optional.empty()))
        .hasMessageContaining("ca.pem cannot be read as certificates in PEM");
  }

  /** Its jar would lie in the JobManager, with what it holds. */
  @Test
  void whatFlinkDoesNotTakeIsSaidWithItsLineAndItsJarIsRemoved() {
    jobManager.json(
        "POST /jars/1_job.jar/run",
        400,
        """
        {"errors":["Internal server error.","x.RestHandlerException: no\\n\\tat a.b(C.java:1)\\nCaused by: io.sedge.flink.runner.ScriptException: line 7: Could not find any factory for identifier 'kafka' that\\nCaused by: x.Y: z\\n\\tat a.b(C.java:1)"]}
        """);
    SqlException refusal = catchThrowableOfType(SqlException.class, () -> submit(Map.of()));
    assertThat(refusal.problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.line()).isEqualTo(7);
              assertThat(problem.message())
                  .isEqualTo(
                      "Flink does not take this: Could not find any factory for identifier 'kafka'"
                          + " that");
              assertThat(problem.remedy().orElseThrow()).contains("--jar");
            });
    assertThat(jobManager.lines()).endsWith("DELETE /jars/1_job.jar");
  }

  @Test
  void otherFailuresOfTheJobManagerAreSaidInItsWords() {
    jobManager.json(
        "POST /jars/1_job.jar/run",
        500,
        "{\"errors\":[\"x.A: no\\n"
            + "\\tat a.b(C.java:1)\\n"
            + "Caused by: x.B: Could not submit job\\n"
            + "\\tat a\"]}");
    assertThatThrownBy(() -> submit(Map.of()))
        .hasMessageEndingWith("does not run the script (HTTP 500): Could not submit job");
  }

  @Test
  void anAnswerThatIsLostDoesNotLoseTheJob() throws Exception {
    jobManager
        .cutting("POST /jars/1_job.jar/run")
        .json("GET /jobs", 200, "{\"state\":\"RUNNING\",\"vertices\":[]}");
    String id = submit(Map.of());
    assertThat(text(1)).contains(id);
    assertThat(jobManager.lines()).contains("GET /jobs/" + id);
  }

  @Test
  void aJobOfWhichNothingIsKnownIsNotTakenForOneThatDoesNotRun() {
    hurry();
    jobManager.cutting("POST /jars/1_job.jar/run");
    assertThatThrownBy(() -> submit(Map.of()))
        .hasMessageContaining("cannot be reached")
        .hasMessageContaining(
            "runs is not known: look at " + jobManager.address() + "#/job/running/");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          413 | {"errors":["too large"]} | more than the cluster takes (rest.server.max-content-length)
          500 | {"errors":["disk full"]} | answers the upload of a jar with HTTP 500: disk full
          200 | <html>                   | answers the upload of a jar with HTTP 200: <html>
          """)
  void aJarThatIsNotTakenIsSaid(int status, String body, String message) {
    jobManager.json("POST /jars/upload", status, body);
    assertThatThrownBy(() -> submit(Map.of())).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "RUNNING, RUNNING, RUNNING, true, false",
    "RUNNING, RUNNING, FINISHED, true, false",
    "RUNNING, RUNNING, SCHEDULED, false, false",
    "FINISHED, FINISHED, FINISHED, true, false",
    "INITIALIZING, CREATED, CREATED, false, false",
    "RESTARTING, FAILED, CANCELED, false, false",
    "FAILED, FAILED, CANCELED, false, true",
  })
  void aJobIsUpWhenAllOfItRuns(String state, String one, String other, boolean up, boolean failed)
      throws Exception {
    jobManager.json(
        "GET /jobs/abc",
        200,
        "{\"state\":\"%s\",\"vertices\":[{\"status\":\"%s\"},{\"status\":\"%s\"}]}"
            .formatted(state, one, other));
    FlinkJob job = cluster.job("abc").orElseThrow();
    assertThat(job.isUp()).isEqualTo(up);
    assertThat(job.hasFailed()).isEqualTo(failed);
  }

  @Test
  void aProxyThatGivesUpDoesNotLoseTheJob() throws Exception {
    jobManager
        .html("POST /jars/1_job.jar/run", 504, "<html>Gateway Timeout</html>")
        .json("GET /jobs", 200, "{\"state\":\"CREATED\",\"vertices\":[]}");
    assertThat(jobManager.lines()).isEmpty();
    String id = submit(Map.of());
    assertThat(text(1)).contains(id);
  }

  @Test
  void aJarThatStaysIsSaid() throws Exception {
    jobManager.json("DELETE /jars/1_job.jar", 500, "{}");
    submit(Map.of("mqtt", "hunter2"));
    assertThat(remarks)
        .singleElement()
        .asString()
        .matches(
            "sedge-[0-9a-f]{32}\\.jar may still be in the JobManager's directory of uploads,"
                + " with values of secrets: .*");
  }

  /** The JobManager may still be putting it away. */
  @Test
  void aJarWhoseUploadWasNotAnsweredIsLookedForAndMayStillCome() {
    jobManager.cutting("POST /jars/upload").json("GET /jars", 200, "{\"files\":[]}");
    assertThatThrownBy(() -> submit(Map.of())).hasMessageContaining("cannot be reached");
    assertThat(jobManager.lines())
        .containsExactly("POST /jars/upload", "GET /jars", "GET /jars", "GET /jars");
    assertThat(remarks)
        .singleElement()
        .asString()
        .matches(
            "sedge-[0-9a-f]{32}\\.jar may still be in, or come to, the JobManager's directory of"
                + " uploads: .*");
  }

  /** A proxy does not speak for the JobManager behind it. */
  @Test
  void aJarWhoseUploadAProxyHasGivenUpMayStillCome() {
    jobManager
        .html("POST /jars/upload", 504, "<html>Gateway Timeout</html>")
        .json("GET /jars", 200, "{\"files\":[]}");
    assertThatThrownBy(() -> submit(Map.of())).hasMessageContaining("HTTP 504");
    assertThat(remarks).singleElement().asString().contains("may still be in, or come to,");
  }

  @ParameterizedTest
  @CsvSource({"401, {}", "403, no", "302, x", "404, x", "413, x", "500, {}"})
  void aJarThatWasRefusedIsNotLookedFor(int status, String body) {
    jobManager.json("POST /jars/upload", status, body);
    assertThatThrownBy(() -> submit(Map.of())).isInstanceOf(JobException.class);
    assertThat(jobManager.lines()).containsExactly("POST /jars/upload");
    assertThat(remarks).isEmpty();
  }

  @Test
  void aJarThatWasNotSentIsNotSpokenOf() {
    jobManager.close();
    assertThatThrownBy(() -> submit(Map.of())).hasMessageContaining("cannot be reached");
    assertThat(remarks).isEmpty();
  }

  /** Ctrl-C: the jar may have values of secrets. */
  @Test
  void anInterruptWhileTheScriptIsPlannedRemovesItsJar() throws Exception {
    jobManager.silent("POST /jars/1_job.jar/run");
    Submitting submitting = new Submitting();
    jobManager.await("POST /jars/1_job.jar/run");
    submitting.interrupt();
    assertThat(submitting.failure())
        .hasMessageMatching(
            "the submission was interrupted while the JobManager planned the script\\. Whether the"
                + " job [0-9a-f]{32} runs is not known: look at http://127.* before it is submitted"
                + " again")
        .extracting(JobException::code)
        .isEqualTo(FailureCode.JOB_NOT_FINISHED);
    assertThat(jobManager.lines()).endsWith("DELETE /jars/1_job.jar");
    assertThat(remarks).isEmpty();
  }

  @Test
  void anInterruptWhileTheJarIsUploadedRemovesWhatHasCome() throws Exception {
    jobManager.silent("POST /jars/upload").json("DELETE /jars/2_job.jar", 200, "{}");
    Submitting submitting = new Submitting();
    jobManager.await("POST /jars/upload");
    Matcher name = Pattern.compile("filename=\"([^\"]+)\"").matcher(text(0));
    assertThat(name.find()).isTrue();
    jobManager.json(
        "GET /jars",
        200,
        "{\"files\":[{\"id\":\"2_job.jar\",\"name\":\"%s\"}]}".formatted(name.group(1)));
    submitting.interrupt();
    assertThat(submitting.failure())
        .hasMessage("the submission was interrupted: no job of it runs");
    assertThat(jobManager.lines())
        .containsExactly("POST /jars/upload", "GET /jars", "DELETE /jars/2_job.jar");
    assertThat(remarks).isEmpty();
  }

  /** The process is ended twelve seconds after Ctrl-C; answers are waited for for twenty here. */
  @Test
  void afterAnInterruptAJobManagerThatHangsIsNotWaitedForLong() throws Exception {
    jobManager.silent("POST /jars/1_job.jar/run").silent("DELETE /jars/1_job.jar");
    Submitting submitting = new Submitting();
    jobManager.await("POST /jars/1_job.jar/run");
    submitting.interrupt();
    assertThat(submitting.failure()).hasMessageContaining("was interrupted");
    assertThat(remarks)
        .singleElement()
        .asString()
        .contains("may still be in the JobManager's directory of uploads, with values of secrets");
  }

  @Test
  void anInterruptWhileTheJarIsRemovedHasItRemovedAllTheSame() throws Exception {
    jobManager.silent("DELETE /jars/1_job.jar");
    Submitting submitting = new Submitting();
    jobManager.await("DELETE /jars/1_job.jar");
    jobManager.json("DELETE /jars/1_job.jar", 200, "{}");
    submitting.interrupt();
    assertThat(submitting.id()).isEqualTo("abc");
    assertThat(remarks).isEmpty();
  }

  @Test
  void anInterruptBeforeAllSendsNothing() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> submit(Map.of())).hasMessageContaining("no job of it runs");
    assertThat(jobManager.lines()).doesNotContain("POST /jars/upload");
  }

  /** A submission in a thread of its own, which a test interrupts. */
  private final class Submitting {
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final Thread thread;

    Submitting() {
      thread =
          Thread.ofPlatform()
              .name("submitting")
              .start(
                  () -> {
                    try {
                      result.complete(submit(Map.of("mqtt", "hunter2")));
                    } catch (Exception e) {
                      result.completeExceptionally(e);
                    }
                  });
    }

    void interrupt() {
      thread.interrupt();
    }

    String id() throws Exception {
      return result.get(10, TimeUnit.SECONDS);
    }

    JobException failure() {
      ExecutionException failure = catchThrowableOfType(ExecutionException.class, this::id);
      return (JobException) failure.getCause();
    }
  }

  @Test
  void aJobThatTheClusterDoesNotKnowIsNone() throws Exception {
    assertThat(cluster.job("abc")).isEmpty();
  }

  @Test
  void theCauseOfAFailureIsTheInnermost() throws Exception {
    jobManager.json(
        "GET /jobs/abc/exceptions",
        200,
        "{\"exceptionHistory\":{\"entries\":[{\"stacktrace\":\"a.B: c\\n"
            + "\\tat x\\n"
            + "Caused by: java.io.IOException: Topic readings does not exist\\n"
            + "\\tat y\"}]}}");
    assertThat(cluster.failure("abc")).hasValue("Topic readings does not exist");
  }

  @Test
  void aJobWithoutCheckpointsIsKnown() throws Exception {
    assertThat(cluster.makesCheckpoints("abc")).isFalse();
    jobManager.json("GET /jobs/abc/checkpoints/config", 200, "{\"interval\":9223372036854775807}");
    assertThat(cluster.makesCheckpoints("abc")).isFalse();
    jobManager.json("GET /jobs/abc/checkpoints/config", 200, "{\"interval\":10000}");
    assertThat(cluster.makesCheckpoints("abc")).isTrue();
  }
}
