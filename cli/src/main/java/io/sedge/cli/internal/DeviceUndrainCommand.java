package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge device undrain}. */
@Command(
    name = "undrain",
    header = "Uses a drained device again.",
    footer = {"Example:", "  sedge device undrain gateway-2"})
final class DeviceUndrainCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  DeviceUndrainCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    progress("asking the site");
    site.undrain(name);
    done(
        answers,
        "device %s is used again".formatted(name),
        Map.of("device", name, "done", "undrain"));
  }
}
