package io.sedge.site;

import io.sedge.identity.SecretFiles;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.operation.BundleFile;
import io.sedge.site.internal.operation.BundleTexts;
import io.sedge.site.internal.operation.DiskTexts;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    Answer answer = ask(data);
    BundleTexts texts =
        answer
            .texts()
            .orElse(BundleTexts.NONE)
            .with("about.txt", BundleTexts.about(now, version, "the device " + answer.outcome()))
            .with(DiskTexts.of(data, BundleFile.Bounds.FILE.entry()));
    try (OutputStream output = SecretFiles.create(file)) {
      Map<String, Long> entries = BundleFile.write(output, texts, BundleFile.Bounds.FILE);
      return new Contents(file, answer.texts().isPresent(), entries);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the bundle %s cannot be written: %s; name another file with --to".formatted(file, e),
          e);
    }
  }

  private static final String ANSWERED = "runs and answered";

  /** What a device that runs says of itself, or why it does not. One that hangs is not waited for. */
  private record Answer(Optional<BundleTexts> texts, String outcome) {}

  private static Answer ask(Path data) {
    FutureTask<BundleTexts> asking =
        new FutureTask<>(
            () -> {
              try (DeviceConnection device = DeviceConnection.to(data)) {
                return BundleTexts.of(device);
              }
            });
    Thread.ofVirtual().name("sedge-bundle").start(asking);
    try {
      return new Answer(
          Optional.of(asking.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)), ANSWERED);
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      return none("did not answer: " + (cause == null ? e : cause).getMessage());
    } catch (TimeoutException e) {
      return none("did not answer within %d s: it hangs".formatted(PATIENCE.toSeconds()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return none("was not waited for");
    }
  }

  private static Answer none(String why) {
    return new Answer(Optional.empty(), why);
  }

  /** What is never in a bundle, for people. */
  public static List<String> leftOut() {
    return BundleFile.LEFT_OUT;
  }
}
