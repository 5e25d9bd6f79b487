package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device remove}. */
@Command(
    name = "remove",
    header = "Takes a device that has no tasks out of the site; drain it first.",
    footer = {"Example:", "  sedge device remove gateway-2"})
final class DeviceRemoveCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  @Mixin private final AuthorityLoss loss = new AuthorityLoss();

  DeviceRemoveCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    progress("asking the site");
    site.removeDevice(name, loss.isAllowed());
    done(
        answers,
        "device %s is no device of this site any more".formatted(name),
        Map.of("device", name, "done", "remove"));
    loss.warn(site, surroundings());
  }
}
