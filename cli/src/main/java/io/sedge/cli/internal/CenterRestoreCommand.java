package io.sedge.cli.internal;

import io.sedge.center.Center;
import io.sedge.center.CenterException;
import io.sedge.center.store.StoreOptions;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge center restore}. */
@Command(
    name = "restore",
    header = "Puts a backup into the directory of a center that does not run.",
    description = {
      "The directory may have the center's keys, and no database. What sites have reported since",
      "the backup was made is not in it, and they do not send it again."
    },
    footer = {"Example:", "  sedge center restore 2026-11-25.db --data /var/lib/sedge-center"})
final class CenterRestoreCommand extends CommandOptions implements Callable<Integer> {
  /** Where `sedge center start` has its database. */
  static final String DATABASE = "results";

  private final Surroundings surroundings;

  @Mixin private final CenterDirectory data = new CenterDirectory();

  @Parameters(paramLabel = "FILE", description = "What `sedge center backup` wrote.")
  private Path file = Path.of("");

  CenterRestoreCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    Path directory = data.path(surroundings);
    try {
      Center.restore(
          surroundings.directory().resolve(file),
          directory,
          StoreOptions.embedded(directory.resolve(DATABASE)));
    } catch (CenterException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    }
    surroundings
        .err()
        .printf(
            "sedge: %s is restored; `sedge center start --data %s` starts the center%n",
            file, directory);
    return 0;
  }
}
