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
    BundleTexts.Told told =
        BundleTexts.within(
            PATIENCE,
            () -> {
              try (DeviceConnection device = DeviceConnection.to(data)) {
                return BundleTexts.of(device);
              }
            });
    BundleTexts texts =
        told.about(now, version).with(DiskTexts.of(data, BundleFile.Bounds.FILE.entry()));
    try (OutputStream output = SecretFiles.create(file)) {
      Map<String, Long> entries = BundleFile.write(output, texts, BundleFile.Bounds.FILE);
      return new Contents(file, told.texts().isPresent(), entries);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the bundle %s cannot be written: %s; name another file with --to".formatted(file, e),
          e);
    }
  }

  /** What is never in a bundle, for people. */
  public static List<String> leftOut() {
    return BundleFile.LEFT_OUT;
  }
}
