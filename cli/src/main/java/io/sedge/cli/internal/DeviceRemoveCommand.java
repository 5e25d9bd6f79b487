package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.DeviceStatus;
import io.sedge.site.SiteException;
import io.sedge.site.SiteStatus;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device remove}. */
@Command(
    name = "remove",
    header = "Takes a device out of the site, after its tasks have gone to others.",
    description = {
      "Drains the device, waits until it has no tasks any more, and removes it. Ctrl-C ends that;",
      "the device is drained further then, and is not removed."
    },
    footer = {"Example:", "  sedge device remove gateway-2"})
final class DeviceRemoveCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  @Mixin private final AuthorityLoss loss = new AuthorityLoss();

  DeviceRemoveCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    progress("asking the site");
    SiteStatus before = site.status();
    if (!DrainWait.tasks(before, name).isEmpty() && mayGo(before)) {
      site.drain(name);
      new DrainWait(surroundings()).until(DrainWait.of(site), name);
    }
    site.removeDevice(name, loss.isAllowed());
    done(
        answers,
        "device %s is no device of this site any more".formatted(name),
        Map.of("device", name, "done", "remove"));
    loss.warn(site, surroundings());
  }

  /** A device that is not removed in the end is not drained either; the site says why. */
  private boolean mayGo(SiteStatus status) {
    List<String> holders = AuthorityText.holders(status).stream().map(DeviceStatus::name).toList();
    return !name.equals(status.device()) && (loss.isAllowed() || !holders.equals(List.of(name)));
  }
}
