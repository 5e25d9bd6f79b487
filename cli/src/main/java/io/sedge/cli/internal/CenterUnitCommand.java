package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center unit}. */
@Command(
    name = "unit",
    header = "Prints a systemd unit with which a center comes back after a reboot.",
    description = {
      "For this installation, as it lies here. What follows `--` are options of `center start`",
      "that each start is to have."
    },
    footer = {
      "Examples:",
      "  sedge center unit | sudo tee /etc/systemd/system/sedge-center.service",
      "  sedge center unit -- --listen 10.0.0.2:7440 --name center.plant.example"
    })
final class CenterUnitCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      order = 1,
      defaultValue = "/var/lib/sedge-center",
      description = "The center's data directory (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("/var/lib/sedge-center");

  @Option(
      names = "--user",
      paramLabel = "NAME",
      order = 2,
      defaultValue = "sedge-center",
      description = "Whom it runs as (default: ${DEFAULT-VALUE}).")
  private String user = "sedge-center";

  @Option(
      names = "--options-file",
      paramLabel = "FILE",
      order = 3,
      description = {
        "Take more options at each start from CENTER_OPTIONS in this file,",
        "which may set SEDGE_HEAP and JAVA_OPTS too."
      })
  private @Nullable Path optionsFile;

  @Parameters(
      paramLabel = "OPTIONS",
      arity = "0..*",
      description = "Of `sedge center start`, after `--`.")
  private List<String> options = List.of();

  CenterUnitCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    new Answers(surroundings.out())
        .text(ServiceUnit.ofCenter(surroundings).text(data, user, optionsFile, options));
    return 0;
  }
}
