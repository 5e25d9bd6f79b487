package io.sedge.flink.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.flink.cluster.internal.JobJar;
import io.sedge.flink.cluster.internal.Patience;
import io.sedge.flink.cluster.internal.RefusedException;
import io.sedge.flink.cluster.internal.Rest;
import io.sedge.flink.cluster.internal.Submission;
import io.sedge.flink.cluster.internal.Traces;
import io.sedge.flink.cluster.internal.Trust;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/**
 * A cluster of Flink's, asked by the REST of its JobManager. Calls wait for the answer, for a
 * bounded time; one thread. Each may fail with a {@link JobException}: CONNECTION_FAILED if the
 * JobManager does not answer or fails, JOIN_REFUSED if it wants another login, USAGE if it is none
 * that can be used.
 */
public final class FlinkCluster implements AutoCloseable {
  /** The versions whose SQL is Sedge's. */
  public static final String VERSION = "2.3";

  /** That a JobManager gives to checkpoints where there are none. */
  private static final long NEVER_MILLIS = Duration.ofDays(365).toMillis();

  private static final int NOT_FOUND = 404;

  private final String address;
  private final Rest rest;
  private final Patience patience;

  FlinkCluster(
      URI address,
      Optional<SSLContext> trusted,
      Optional<String> authorization,
      Patience patience) {
    this.address = address.toString().replaceFirst("/+$", "");
    this.patience = patience;
    this.rest = new Rest(this.address, trusted, authorization);
  }

  /**
   * The cluster of a JobManager.
   *
   * @param address {@code http://jobmanager:8081}; a path may follow
   * @param authority a file of certificates that are trusted, in PEM; empty for what this machine
   *     trusts
   * @param authorization what the header {@code Authorization} says
   * @throws JobException FILE_NOT_READABLE
   */
  public static FlinkCluster of(
      URI address, Optional<Path> authority, Optional<String> authorization) throws JobException {
    return new FlinkCluster(
        address,
        authority.isPresent() ? Optional.of(Trust.in(authority.get())) : Optional.empty(),
        authorization,
        new Patience(Duration.ofSeconds(30), Duration.ofMinutes(3)));
  }

  /**
   * Makes sure that it is one that takes scripts.
   *
   * @return its version
   */
  public String check() throws JobException, InterruptedException {
    Rest.Answer answer = rest.get("/config", patience.answer());
    String version = answer.body().path("flink-version").asText("");
    if (answer.status() >= 500) {
      throw rest.unexpected("/config", answer);
    }
    if (!answer.isGood() || version.isEmpty()) {
      throw new JobException(
          FailureCode.USAGE,
          "%s answers, but not as the REST of a JobManager does (HTTP %d): it is on port 8081 as a rule, and that of the SQL gateway will not do"
              .formatted(address, answer.status()));
    }
    if (!version.equals(VERSION) && !version.startsWith(VERSION + ".")) {
      throw new JobException(
          FailureCode.USAGE,
          "the cluster at %s has Flink %s; scripts of Sedge's are for Flink %s"
              .formatted(address, version, VERSION));
    }
    JsonNode submits = answer.body().path("features").path("web-submit");
    if (submits.isBoolean() && !submits.booleanValue()) {
      throw new JobException(
          FailureCode.USAGE,
          "the cluster at %s takes no jars: its configuration has web.submit.enable: false"
              .formatted(address));
    }
    return version;
  }

  /**
   * Submits a script. The jar that carries it is gone from the JobManager's directory of uploads
   * afterwards, also if this thread is interrupted meanwhile: then within ten seconds. Where that
   * is not certain a remark says so.
   *
   * @param secrets the values of those that are sent, by name; the JobManager has the others
   * @param libraries jars that the cluster lacks, those of the script's functions among them
   * @param remark takes what people should know who submit it, such as a jar that stays there
   * @return the id of the job, which may not run yet
   * @throws SqlException if Flink does not take the script
   * @throws JobException LIMIT_REACHED if the jar is too large; JOB_NOT_FINISHED if this thread was
   *     interrupted; SCRIPT_NOT_ACCEPTED if Flink does not take what stands at no line of it
   */
  public String submit(
      FlinkScript script,
      Map<String, String> secrets,
      Collection<Path> libraries,
      Consumer<String> remark)
      throws JobException, SqlException {
    Path file;
    try {
      file = JobJar.write(script.properties(secrets), libraries);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_FAILED, "the jar for the cluster cannot be made: " + e, e);
    }
    try {
      return new Submission(rest, patience, !secrets.isEmpty(), remark).of(file);
    } catch (RefusedException e) {
      throw Refusal.of(e.getMessage(), script);
    }
  }

  /** How a job is; empty if the cluster does not know it. */
  public Optional<FlinkJob> job(String id) throws JobException, InterruptedException {
    Rest.Answer answer = rest.get("/jobs/" + Rest.part(id), patience.answer());
    if (answer.status() == NOT_FOUND) {
      return Optional.empty();
    }
    String state = answer.body().path("state").asText("");
    if (!answer.isGood() || state.isEmpty()) {
      throw rest.unexpected("/jobs/" + id, answer);
    }
    Map<String, Integer> operators = new HashMap<>();
    for (JsonNode vertex : answer.body().path("vertices")) {
      operators.merge(vertex.path("status").asText(""), 1, Integer::sum);
    }
    return Optional.of(new FlinkJob(id, state, operators));
  }

  /** Why a job has failed, the latest first; empty if the cluster does not say. */
  public Optional<String> failure(String id) throws JobException, InterruptedException {
    Rest.Answer answer =
        rest.get("/jobs/%s/exceptions?maxExceptions=1".formatted(Rest.part(id)), patience.answer());
    String latest =
        answer
            .body()
            .path("exceptionHistory")
            .path("entries")
            .path(0)
            .path("stacktrace")
            .asText(answer.body().path("root-exception").asText(""));
    return latest.isEmpty() ? Optional.empty() : Optional.of(Traces.cause(latest));
  }

  /** Whether a job makes checkpoints, without which it begins anew after a failure. */
  public boolean makesCheckpoints(String id) throws JobException, InterruptedException {
    Rest.Answer answer =
        rest.get("/jobs/%s/checkpoints/config".formatted(Rest.part(id)), patience.answer());
    long interval = answer.body().path("interval").asLong(0);
    return answer.isGood() && interval > 0 && interval < NEVER_MILLIS;
  }

  /** How many slots are free, and how many there are. */
  public String slots() throws JobException, InterruptedException {
    JsonNode overview = rest.get("/overview", patience.answer()).body();
    return "%d of %d slots of %d task managers are free"
        .formatted(
            overview.path("slots-available").asInt(),
            overview.path("slots-total").asInt(),
            overview.path("taskmanagers").asInt());
  }

  /** Where Flink's own page shows a job. */
  public String page(String id) {
    return rest.page(id);
  }

  /** Ends what is under way. The job runs on. */
  @Override
  public void close() {
    rest.close();
  }
}
