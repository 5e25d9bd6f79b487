package io.sedge.flink.cluster.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Gives a jar to a JobManager, which runs the program in it, and takes the jar away again, whatever
 * came of it. Used once, by one thread. An interrupt of that thread ends the submission; the jar is
 * taken away all the same, within {@value #LOOKS_FOR_JAR} looks and one request more, {@link
 * #LAST_ANSWER} each.
 */
public final class Submission {
  /** How often a job is looked for whose submission was not answered. */
  private static final int LOOKS = 10;

  /** A JobManager may still be putting a jar away whose upload was cut. */
  private static final int LOOKS_FOR_JAR = 3;

  private static final Duration BETWEEN_LOOKS_FOR_JAR = Duration.ofMillis(200);

  /** How long an answer is waited for after an interrupt: the process is to end. */
  private static final Duration LAST_ANSWER = Duration.ofSeconds(2);

  private static final int TOO_LARGE = 413;

  private final Rest rest;
  private final Patience patience;
  private final boolean hasSecrets;
  private final Consumer<String> remark;
  private final String id = UUID.randomUUID().toString().replace("-", "");
  private final String name = "sedge-%s.jar".formatted(id);

  /** The jar's name in the JobManager; empty as long as that is not known. */
  private String jar = "";

  /** Whether some of the jar was sent, and the JobManager has not said what came of it. */
  private final AtomicBoolean mayCome = new AtomicBoolean();

  private boolean sent;
  private boolean interrupted;

  /**
   * A submission.
   *
   * @param hasSecrets whether the jar has values of secrets
   * @param remark takes what people should know, such as a jar that stays there
   */
  public Submission(Rest rest, Patience patience, boolean hasSecrets, Consumer<String> remark) {
    this.rest = rest;
    this.patience = patience;
    this.hasSecrets = hasSecrets;
    this.remark = remark;
  }

  /**
   * Submits a jar.
   *
   * @param file which is deleted
   * @return the id of the job, which may not run yet
   * @throws RefusedException if the program says that Flink does not take its script
   * @throws JobException LIMIT_REACHED if the jar is too large, JOB_NOT_FINISHED if the thread was
   *     interrupted before an answer came
   */
  public String of(Path file) throws JobException, RefusedException {
    try {
      try {
        jar = upload(file);
      } finally {
        delete(file);
      }
      return run();
    } catch (InterruptedException e) {
      interrupted = true;
      throw new JobException(
          FailureCode.JOB_NOT_FINISHED,
          sent
              ? "the submission was interrupted while the JobManager planned the script. "
                  + unknown()
              : "the submission was interrupted: no job of it runs",
          e);
    } finally {
      forget();
    }
  }

  private void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      remark.accept("%s cannot be deleted: %s".formatted(file, e));
    }
  }

  private String upload(Path file) throws JobException, InterruptedException {
    String boundary = "sedge-" + UUID.randomUUID();
    String head =
        "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\nContent-Type: application/x-java-archive\r\n\r\n"
            .formatted(boundary, name);
    Rest.Answer answer;
    try {
      BodyPublisher parts =
          BodyPublishers.concat(
              BodyPublishers.ofString(head),
              BodyPublishers.ofFile(file),
              BodyPublishers.ofString("\r\n--%s--\r\n".formatted(boundary)));
      answer = rest.post("/jars/upload", boundary, noted(parts), patience.submission());
    } catch (JobException e) {
      if (e.code() != FailureCode.CONNECTION_FAILED) { // An answer: it does not let us in.
        mayCome.set(false);
      }
      throw e;
    } catch (IOException e) {
      throw new JobException(FailureCode.FILE_FAILED, "%s is gone: %s".formatted(file, e), e);
    }
    if (isRefusal(answer)) {
      mayCome.set(false);
    }
    if (answer.status() == TOO_LARGE) {
      throw new JobException(
          FailureCode.LIMIT_REACHED,
          "the script with its jars has %,d bytes, more than the cluster takes (rest.server.max-content-length): put the jars into its lib directory"
              .formatted(file.toFile().length()));
    }
    String path = answer.body().path("filename").asText("");
    String known = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
    if (!answer.isGood() || known.isEmpty()) {
      throw rest.unexpected("the upload of a jar", answer);
    }
    return known;
  }

  /** That it was sent is known as soon as the connection asks for it. */
  private BodyPublisher noted(BodyPublisher parts) {
    return BodyPublishers.fromPublisher(
        (Flow.Subscriber<? super ByteBuffer> taker) -> {
          mayCome.set(true);
          parts.subscribe(taker);
        },
        parts.contentLength());
  }

  /** A proxy that has waited long enough does not speak for the JobManager. */
  private static boolean isRefusal(Rest.Answer answer) {
    return answer.status() >= 500 ? answer.body().isObject() : answer.status() >= 400;
  }

  /** The job has an id of ours, so that it is known again if the answer is lost. */
  private String run() throws JobException, RefusedException, InterruptedException {
    Rest.Answer answer;
    try {
      sent = true;
      answer =
          rest.post(
              "/jars/%s/run".formatted(Rest.part(jar)),
              Map.of("entryClass", JobJar.ENTRY, "jobId", id),
              patience.submission());
    } catch (JobException e) {
      return runsAllTheSame(e);
    }
    if (answer.isGood()) {
      return answer.body().path("jobid").asText(id);
    }
    StringBuilder errors = new StringBuilder();
    answer.body().path("errors").forEach(error -> errors.append(error.asText()).append('\n'));
    String trace = errors.toString();
    Optional<String> refusal = Traces.refusal(trace);
    if (refusal.isPresent()) {
      throw new RefusedException(refusal.get());
    }
    if (trace.isEmpty() && answer.status() >= 500) { // A proxy's, which has waited long enough.
      return runsAllTheSame(rest.unexpected("the script", answer));
    }
    if (trace.isEmpty()) {
      throw rest.unexpected("the script", answer);
    }
    throw new JobException(
        FailureCode.JOB_NOT_FINISHED,
        "the cluster at %s does not run the script (HTTP %d): %s"
            .formatted(rest.address(), answer.status(), Traces.cause(trace)));
  }

  private String runsAllTheSame(JobException lost) throws JobException, InterruptedException {
    if (lost.code() == FailureCode.CONNECTION_FAILED) {
      for (int look = 0; look < LOOKS; look++) { // It may still be planned.
        try {
          if (rest.get("/jobs/" + id, patience.answer()).isGood()) {
            return id;
          }
        } catch (JobException e) {
          lost.addSuppressed(e);
        }
        Thread.sleep(patience.answer().dividedBy(LOOKS));
      }
      throw new JobException(
          FailureCode.CONNECTION_FAILED, "%s. %s".formatted(lost.getMessage(), unknown()), lost);
    }
    throw lost;
  }

  private String unknown() {
    return "Whether the job %s runs is not known: look at %s before it is submitted again"
        .formatted(id, rest.page(id));
  }

  /** A failure is not one of the submission, but is said. */
  private void forget() {
    boolean gone;
    try {
      gone = interrupted ? isForgottenAtLast() : isForgotten(patience.answer());
    } catch (InterruptedException e) {
      gone = isForgottenAtLast();
      Thread.currentThread().interrupt(); // For whoever waits for the job next.
    }
    if (!gone) {
      remark.accept(
          "%s may still %s the JobManager's directory of uploads%s: delete it on its page, `Submit New Job`"
              .formatted(
                  name,
                  jar.isEmpty() ? "be in, or come to," : "be in",
                  hasSecrets ? ", with values of secrets" : ""));
    }
  }

  private boolean isForgottenAtLast() {
    try {
      return isForgotten(LAST_ANSWER);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /**
   * Deletes the jar, or what has come of it if the answer to its upload was lost. One that has not
   * come yet may come later.
   *
   * @return whether the cluster has none of that name, and gets none any more
   */
  private boolean isForgotten(Duration most) throws InterruptedException {
    try {
      if (jar.isEmpty() && !mayCome.get()) {
        return true;
      }
      for (int look = 0; jar.isEmpty() && look < LOOKS_FOR_JAR; look++) {
        if (look > 0) {
          Thread.sleep(BETWEEN_LOOKS_FOR_JAR);
        }
        jar = uploaded(most);
      }
      return !jar.isEmpty() && rest.delete("/jars/" + Rest.part(jar), most).isGood();
    } catch (JobException e) {
      return false; // The job runs, or why it does not is said already.
    }
  }

  private String uploaded(Duration most) throws JobException, InterruptedException {
    Rest.Answer answer = rest.get("/jars", most);
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
}
