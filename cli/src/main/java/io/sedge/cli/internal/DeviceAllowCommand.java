package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.AllowedDirectory;
import io.sedge.site.api.SiteException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge device allow}. */
@Command(
    name = "allow",
    header = "Shows which directories of this device jobs may use, and allows one more.",
    description = {
      "Until something is allowed or disallowed, jobs may use the directory in which the device"
          + " was",
      "started. Directories of devices (--data) are never used, wherever they are."
    },
    footer = {
      "Examples:",
      "  sedge device allow",
      "  sedge device allow /srv/plant",
      "  sedge device allow /etc/plant/tls --read-only"
    })
final class DeviceAllowCommand extends ControlCommand {
  @Parameters(
      paramLabel = "DIRECTORY",
      arity = "0..1",
      description = "Jobs may read and write its files, and those below it.")
  private @Nullable Path allowed;

  @Option(names = "--read-only", description = "Jobs may only read them.")
  private boolean readOnly;

  DeviceAllowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    if (allowed == null) {
      show(site, answers);
      return;
    }
    String directory = surroundings().directory().resolve(allowed).toAbsolutePath().toString();
    site.allow(directory, !readOnly);
    done(
        answers,
        "jobs may %s %s on this device".formatted(readOnly ? "read" : "read and write", directory),
        Map.of("directory", directory, "done", "allow"));
  }

  private void show(DeviceConnection site, Answers answers) throws SiteException {
    for (AllowedDirectory each : site.allowedDirectories()) {
      if (wantsJson()) {
        answers.json(each);
      } else {
        answers.text((each.writable() ? "read, write  " : "read         ") + each.directory());
      }
    }
  }
}
