package io.sedge.cli.internal;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The file that a bundle is written to. */
final class BundleFile {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private BundleFile() {}

  /**
   * Where a bundle goes.
   *
   * @param asked relative to the present directory; null for {@code sedge-OF-TIME.zip} there
   * @param of whose bundle it is
   */
  static Path of(Surroundings surroundings, @Nullable Path asked, String of, Instant now) {
    Path file = asked == null ? Path.of("sedge-%s-%s.zip".formatted(of, TIME.format(now))) : asked;
    return surroundings.directory().resolve(file);
  }
}
