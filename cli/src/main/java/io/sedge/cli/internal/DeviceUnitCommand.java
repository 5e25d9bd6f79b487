package io.sedge.cli.internal;

import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge device unit}. */
@Command(
    name = "unit",
    header = "Prints a systemd unit with which a device comes back after a reboot.",
    description = {
      "For this installation, as it lies here. What follows `--` are options of `device start`",
      "that each start is to have."
    },
    footer = {
      "Examples:",
      "  sedge device unit | sudo tee /etc/systemd/system/sedge.service",
      "  sedge device unit --user plant -- --cpu 0.5 --memory 256m --metrics 127.0.0.1:9464"
    })
final class DeviceUnitCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      order = 1,
      defaultValue = "/var/lib/sedge",
      description = "The device's data directory (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of("/var/lib/sedge");

  @Option(
      names = "--user",
      paramLabel = "NAME",
      order = 2,
      defaultValue = "sedge",
      description = "Whom it runs as (default: ${DEFAULT-VALUE}).")
  private String user = "sedge";

  @Option(
      names = "--options-file",
      paramLabel = "FILE",
      order = 3,
      description = {
        "Take more options at each start from DEVICE_OPTIONS in this file,",
        "which may set SEDGE_HEAP and JAVA_OPTS too."
      })
  private @Nullable Path optionsFile;

  @Parameters(
      paramLabel = "OPTIONS",
      arity = "0..*",
      description = "Of `sedge device start`, after `--`.")
  private List<String> options = List.of();

  DeviceUnitCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    new Answers(surroundings.out())
        .text(ServiceUnit.ofDevice(surroundings).text(data, user, optionsFile, options));
    return 0;
  }
}
