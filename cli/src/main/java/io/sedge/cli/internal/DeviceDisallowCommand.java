package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge device disallow}. */
@Command(
    name = "disallow",
    header = "Jobs may not use a directory of this device any more.",
    description = "Files that tasks have open stay open until the tasks end.",
    footer = {"Example:", "  sedge device disallow /srv/plant"})
final class DeviceDisallowCommand extends ControlCommand {
  @Parameters(paramLabel = "DIRECTORY", description = "As `sedge device allow` shows it.")
  private Path directory = Path.of("");

  DeviceDisallowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    String disallowed = surroundings().directory().resolve(directory).toAbsolutePath().toString();
    site.disallow(disallowed);
    done(
        answers,
        "jobs may not use %s on this device any more".formatted(disallowed),
        Map.of("directory", disallowed, "done", "disallow"));
  }
}
