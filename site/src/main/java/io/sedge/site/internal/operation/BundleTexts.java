package io.sedge.site.internal.operation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a bundle is made of, before secrets are blanked.
 *
 * @param texts by the name of the file, in their order
 * @param scripts of jobs, by their names
 */
public record BundleTexts(Map<String, String> texts, Map<String, String> scripts) {
  private static final BundleTexts NONE = new BundleTexts(Map.of(), Map.of());

  /** Of what a device has said lately. */
  private static final int MAX_LOG_CHARACTERS = 500_000;

  /** What a device that runs says of itself. */
  public static BundleTexts of(SiteControl device) throws SiteException {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("status.json", json(device.status()));
    texts.put("log.txt", lines(device.logs("", 0)));
    Diagnosis diagnosis = device.diagnose();
    texts.putAll(diagnosis.texts());
    return new BundleTexts(texts, diagnosis.scripts());
  }

  /**
   * What a device says of itself, or why it does not.
   *
   * @param texts empty if it did not answer
   * @param outcome whether it answered, for people
   */
  public record Told(Optional<BundleTexts> texts, String outcome) {
    /** What is known, after a text that says when and by what it was made, and of which device. */
    public BundleTexts about(Instant now, String version) {
      Map<String, String> all = new LinkedHashMap<>();
      all.put("about.txt", "made at %s by %s%nthe device %s%n".formatted(now, version, outcome));
      BundleTexts known = texts.orElse(NONE);
      all.putAll(known.texts());
      return new BundleTexts(all, known.scripts());
    }
  }

  /** Asks a device; one that hangs is not waited for. */
  public static Told within(Duration patience, Callable<BundleTexts> asking) {
    FutureTask<BundleTexts> answer = new FutureTask<>(asking);
    Thread.ofVirtual().name("sedge-bundle").start(answer);
    try {
      return new Told(
          Optional.of(answer.get(patience.toMillis(), TimeUnit.MILLISECONDS)), "runs and answered");
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      return silent("did not answer: " + (cause == null ? e : cause).getMessage());
    } catch (TimeoutException e) {
      return silent("did not answer within %d s: it hangs".formatted(patience.toSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return silent("was not waited for");
    } finally {
      answer.cancel(true);
    }
  }

  private static Told silent(String why) {
    return new Told(Optional.empty(), why);
  }

  /** The same, and further texts. */
  public BundleTexts with(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(texts);
    all.putAll(more);
    return new BundleTexts(all, scripts);
  }

  /** All files: the texts, then the scripts. */
  Map<String, String> entries() {
    Map<String, String> entries = new LinkedHashMap<>(texts);
    scripts.forEach((job, script) -> entries.put("jobs/" + job.replace('/', '_') + ".sql", script));
    return entries;
  }

  /** The latest. */
  private static String lines(List<LogLine> lines) {
    Deque<String> latest = new ArrayDeque<>();
    int left = MAX_LOG_CHARACTERS;
    for (LogLine line : lines.reversed()) {
      String text =
          "%s %s %s %s%n"
              .formatted(
                  Instant.ofEpochMilli(line.atMillis()), line.severity(), line.task(), line.text());
      left -= text.length();
      if (left < 0) {
        break;
      }
      latest.addFirst(text);
    }
    return String.join("", latest);
  }

  private static String json(Object value) {
    try {
      return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }
}
