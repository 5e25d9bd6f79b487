package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;

/** {@code sedge device undrain}. */
@Command(
    name = "undrain",
    header = "Uses a drained device again.",
    footer = {"Example:", "  sedge device undrain gateway-2"})
final class DeviceUndrainCommand extends DeviceActionCommand {
  DeviceUndrainCommand(Surroundings surroundings) {
    super(surroundings, "undrain");
  }

  @Override
  void act(DeviceConnection site, String name, Answers answers) throws SiteException {
    site.undrain(name);
    done(answers, "device %s is used again");
  }
}
