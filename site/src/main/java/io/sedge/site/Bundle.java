package io.sedge.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.operation.BundleFile;
import io.sedge.site.internal.operation.DiskTexts;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What somebody needs who is to find out from afar what is wrong with a device: a zip file of
 * texts, of what the device says of itself if it runs, and of what is on its disk. No keys, no
 * tokens, no rows; secrets in scripts and logs are blanked.
 */
public final class Bundle {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Bundle() {}

  /**
   * What a bundle holds.
   *
   * @param running whether the device answered
   * @param entries its files with their bytes
   */
  public record Contents(Path file, boolean running, Map<String, Long> entries) {
    public Contents {
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }
  }

  /**
   * Makes one, readable for its owner alone.
   *
   * @param data a device's data directory
   * @param file must not be there
   * @param version of the program that makes it
   * @throws SiteException DIRECTORY_NOT_USABLE if no device has the directory, or the file cannot
   *     be written
   */
  public static Contents write(Path data, Path file, String version, Instant now)
      throws SiteException {
    if (Device.in(data).isEmpty()) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "no device has %s as its directory: name one with --data".formatted(data));
    }
    Map<String, String> texts = new LinkedHashMap<>();
    Map<String, String> scripts = new LinkedHashMap<>();
    String answered = ask(data, texts, scripts);
    texts.put("about.txt", "made at %s by %s%nthe device %s%n".formatted(now, version, answered));
    texts.putAll(DiskTexts.of(data));
    scripts.forEach((job, script) -> texts.put("jobs/" + job.replace('/', '_') + ".sql", script));
    try {
      Map<String, Long> entries = BundleFile.write(file, texts, scripts.values());
      return new Contents(file, answered.equals(ANSWERED), entries);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the bundle %s cannot be written: %s; name another file with --to".formatted(file, e),
          e);
    }
  }

  private static final String ANSWERED = "runs and answered";

  /** Says what became of it. A device that hangs is not waited for. */
  private static String ask(Path data, Map<String, String> texts, Map<String, String> scripts) {
    FutureTask<Answers> asking = new FutureTask<>(() -> ask(data));
    Thread.ofVirtual().name("sedge-bundle").start(asking);
    try {
      Answers answers = asking.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      texts.putAll(answers.texts());
      scripts.putAll(answers.scripts());
      return ANSWERED;
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      return "did not answer: " + (cause == null ? e : cause).getMessage();
    } catch (TimeoutException e) {
      return "did not answer within %d s: it hangs".formatted(PATIENCE.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "was not waited for";
    }
  }

  private record Answers(Map<String, String> texts, Map<String, String> scripts) {}

  private static Answers ask(Path data) throws SiteException {
    try (DeviceConnection device = DeviceConnection.to(data)) {
      Map<String, String> texts = new LinkedHashMap<>();
      texts.put("status.json", json(device.status()));
      texts.put("log.txt", lines(device.logs("", 0)));
      Diagnosis diagnosis = device.diagnose();
      texts.putAll(diagnosis.texts());
      return new Answers(texts, diagnosis.scripts());
    }
  }

  private static String lines(Collection<LogLine> lines) {
    return lines.stream()
        .map(
            line ->
                "%s %s %s %s%n"
                    .formatted(
                        Instant.ofEpochMilli(line.atMillis()),
                        line.severity(),
                        line.task(),
                        line.text()))
        .collect(Collectors.joining());
  }

  private static String json(Object value) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }

  /** What is never in a bundle, for people. */
  public static List<String> leftOut() {
    return List.of(
        "private keys, join tokens, passwords in options of tables (blanked in scripts and logs)",
        "readings and rows: neither state nor log of the ledger is copied, only its files' names"
            + " and sizes");
  }
}
