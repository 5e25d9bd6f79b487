package io.sedge.cli.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says which device is meant, and what it is where it is not given. */
final class DataDirectory {
  private static final Path OF_THE_SYSTEM = Path.of("/var/lib/sedge");

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      order = 90,
      description = {
        "The device's data directory (default: $SEDGE_DATA, else ~/.sedge,",
        "else /var/lib/sedge if a device is there)."
      })
  private @Nullable Path data;

  Path path(Surroundings surroundings) {
    if (data != null) {
      return surroundings.directory().resolve(data).normalize();
    }
    String given = surroundings.environment().getOrDefault("SEDGE_DATA", "");
    if (!given.isEmpty()) {
      return surroundings.directory().resolve(given).normalize();
    }
    String home = surroundings.environment().getOrDefault("HOME", "");
    Path own = (home.isEmpty() ? surroundings.directory() : Path.of(home)).resolve(".sedge");
    return List.of(own, OF_THE_SYSTEM).stream()
        .filter(directory -> Files.exists(directory.resolve("device.properties")))
        .findFirst()
        .orElse(own);
  }
}
