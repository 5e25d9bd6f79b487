package io.sedge.cli.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which center of this machine is meant, and what it is without it. */
final class CenterDirectory {
  private static final Path OF_THE_SYSTEM = Path.of("/var/lib/sedge-center");

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      order = 90,
      description = {
        "The center's data directory (default: $SEDGE_CENTER, else",
        "~/.sedge-center, else /var/lib/sedge-center if a center is there)."
      })
  private @Nullable Path data;

  Path path(Surroundings surroundings) {
    if (data != null) {
      return surroundings.directory().resolve(data).normalize();
    }
    String given = surroundings.environment().getOrDefault("SEDGE_CENTER", "");
    if (!given.isEmpty()) {
      return surroundings.directory().resolve(given).normalize();
    }
    String home = surroundings.environment().getOrDefault("HOME", "");
    Path own = (home.isEmpty() ? surroundings.directory() : Path.of(home)).resolve(".sedge-center");
    return List.of(own, OF_THE_SYSTEM).stream()
        .filter(directory -> Files.exists(directory.resolve("authority")))
        .findFirst()
        .orElse(own);
  }
}
