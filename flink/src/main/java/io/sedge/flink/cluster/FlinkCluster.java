package io.sedge.flink.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.flink.cluster.internal.JobJar;
import io.sedge.flink.cluster.internal.Rest;
import io.sedge.flink.cluster.internal.Traces;
import io.sedge.flink.cluster.internal.Trust;
import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** How often a job is looked for whose submission was not answered. */
  private static final int LOOKS = 10;

  private static final int NOT_FOUND = 404;
  private static final int TOO_LARGE = 413;
  private static final Pattern LINE = Pattern.compile("line (\\d+): (.*)", Pattern.DOTALL);
  private static final Pattern NO_FACTORY =
      Pattern.compile("Could not find any (?:format )?factory for identifier '([^']+)'");

  private final String address;
  private final Rest rest;
  private final Patience patience;

  /**
   * How long is waited.
   *
   * @param answer for an answer
   * @param submission for the upload of a jar, and for the JobManager to plan a script
   */
  record Patience(Duration answer, Duration submission) {}

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
   * afterwards.
   *
   * @param secrets the values of those that are sent, by name; the JobManager has the others
   * @param libraries jars that the cluster lacks, those of the script's functions among them
   * @param remark takes what people should know who submit it, such as a jar that stays there
   * @return the id of the job, which may not run yet
   * @throws SqlException if Flink does not take the script
   * @throws JobException LIMIT_REACHED if the jar is too large
   */
  public String submit(
      FlinkScript script,
      Map<String, String> secrets,
      Collection<Path> libraries,
      Consumer<String> remark)
      throws JobException, SqlException, InterruptedException {
    String id = UUID.randomUUID().toString().replace("-", "");
    String name = "sedge-%s.jar".formatted(id);
    Path file;
    try {
      file = JobJar.write(script.properties(secrets), libraries);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.FILE_FAILED, "the jar for the cluster cannot be made: " + e, e);
    }
    String jar = "";
    try {
      jar = upload(file, name);
      return run(jar, id);
    } finally {
      delete(file, remark);
      if (!forget(jar, name)) {
        remark.accept(
            "%s may still be in the JobManager's directory of uploads%s: delete it on its page, `Submit New Job`"
                .formatted(name, secrets.isEmpty() ? "" : ", with values of secrets"));
      }
    }
  }

  private static void delete(Path file, Consumer<String> remark) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      remark.accept("%s cannot be deleted: %s".formatted(file, e));
    }
  }

  private String upload(Path file, String as) throws JobException, InterruptedException {
    String boundary = "sedge-" + UUID.randomUUID();
    String head =
        "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\nContent-Type: application/x-java-archive\r\n\r\n"
            .formatted(boundary, as);
    Rest.Answer answer;
    try {
      BodyPublisher parts =
          BodyPublishers.concat(
              BodyPublishers.ofString(head),
              BodyPublishers.ofFile(file),
              BodyPublishers.ofString("\r\n--%s--\r\n".formatted(boundary)));
      answer = rest.post("/jars/upload", boundary, parts, patience.submission());
    } catch (IOException e) {
      throw new JobException(FailureCode.FILE_FAILED, "%s is gone: %s".formatted(file, e), e);
    }
    if (answer.status() == TOO_LARGE) {
      throw new JobException(
          FailureCode.LIMIT_REACHED,
          "the script with its jars has %,d bytes, more than the cluster takes (rest.server.max-content-length): put the jars into its lib directory"
              .formatted(file.toFile().length()));
    }
    String name = answer.body().path("filename").asText("");
    String id = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    if (!answer.isGood() || id.isEmpty()) {
      throw rest.unexpected("the upload of a jar", answer);
    }
    return id;
  }

  /** The job has an id of ours, so that it is known again if the answer is lost. */
  private String run(String jar, String id)
      throws JobException, SqlException, InterruptedException {
    Rest.Answer answer;
    try {
      answer =
          rest.post(
              "/jars/%s/run".formatted(part(jar)),
              Map.of("entryClass", JobJar.ENTRY, "jobId", id),
              patience.submission());
    } catch (JobException e) {
      return runsAllTheSame(id, e);
    }
    if (answer.isGood()) {
      return answer.body().path("jobid").asText(id);
    }
    StringBuilder errors = new StringBuilder();
    answer.body().path("errors").forEach(error -> errors.append(error.asText()).append('\n'));
    String trace = errors.toString();
    Optional<String> refusal = Traces.refusal(trace);
    if (refusal.isPresent()) {
      throw refused(refusal.get());
    }
    if (trace.isEmpty() && answer.status() >= 500) { // A proxy's, which has waited long enough.
      return runsAllTheSame(id, rest.unexpected("the script", answer));
    }
    if (trace.isEmpty()) {
      throw rest.unexpected("the script", answer);
    }
    throw new JobException(
        FailureCode.JOB_NOT_FINISHED,
        "the cluster at %s does not run the script (HTTP %d): %s"
            .formatted(address, answer.status(), Traces.cause(trace)));
  }

  private String runsAllTheSame(String id, JobException lost)
      throws JobException, InterruptedException {
    if (lost.code() == FailureCode.CONNECTION_FAILED) {
      for (int look = 0; look < LOOKS; look++) { // It may still be planned.
        try {
          if (job(id).isPresent()) {
            return id;
          }
        } catch (JobException e) {
          lost.addSuppressed(e);
        }
        Thread.sleep(patience.answer().dividedBy(LOOKS));
      }
      throw new JobException(
          FailureCode.CONNECTION_FAILED,
          "%s. Whether the job %s runs is not known: look at %s before it is submitted again"
              .formatted(lost.getMessage(), id, page(id)),
          lost);
    }
    throw lost;
  }

  private static SqlException refused(String message) {
    Matcher matcher = LINE.matcher(message);
    boolean known = matcher.matches();
    int line = known ? Integer.parseInt(matcher.group(1)) : 1;
    String text = "Flink does not take this: " + (known ? matcher.group(2) : message);
    Matcher factory = NO_FACTORY.matcher(text);
    return new SqlException(
        List.of(
            new Problem(
                line,
                1,
                text,
                factory.find()
                    ? Optional.of(
                        "nothing else, but give Flink's jar for '%s' with --jar, or put it into the cluster's lib directory"
                            .formatted(factory.group(1)))
                    : Optional.empty())));
  }

  /**
   * Deletes the jar, or what has come of it if the answer to its upload was lost. A failure is not
   * one of the submission.
   *
   * @return whether the cluster has none of that name any more
   */
  private boolean forget(String jar, String name) throws InterruptedException {
    try {
      String known = jar.isEmpty() ? uploaded(name) : jar;
      return known.isEmpty() || rest.delete("/jars/" + part(known), patience.answer()).isGood();
    } catch (JobException e) {
      return false; // The job runs, or why it does not is said already.
    }
  }

  private String uploaded(String name) throws JobException, InterruptedException {
    Rest.Answer answer = rest.get("/jars", patience.answer());
    if (!answer.isGood()) {
      throw rest.unexpected("/jars", answer);
    }
    for (JsonNode file : answer.body().path("files")) {
      if (file.path("name").asText("").equals(name)) {
        return file.path("id").asText("");
      }
    }
    return "";
  }

  /** How a job is; empty if the cluster does not know it. */
  public Optional<FlinkJob> job(String id) throws JobException, InterruptedException {
    Rest.Answer answer = rest.get("/jobs/" + part(id), patience.answer());
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
        rest.get("/jobs/%s/exceptions?maxExceptions=1".formatted(part(id)), patience.answer());
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
        rest.get("/jobs/%s/checkpoints/config".formatted(part(id)), patience.answer());
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
    return "%s/#/job/running/%s/overview".formatted(address, id);
  }

  private static String part(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Ends what is under way. The job runs on. */
  @Override
  public void close() {
    rest.close();
  }
}
