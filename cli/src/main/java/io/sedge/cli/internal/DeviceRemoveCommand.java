package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.FailureCode;
import io.sedge.site.SiteException;
import io.sedge.site.SiteStatus;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device remove}. */
@Command(
    name = "remove",
    header = "Takes a device out of the site, after its tasks have gone to others.",
    description = {
      "Drains the device, waits until it has no tasks any more, and removes it. Where that is not",
      "waited for, or Ctrl-C ends it, a device with tasks is drained further, and is not removed."
    },
    footer = {
      "Examples:",
      "  sedge device remove gateway-2",
      "  sedge device remove gateway-2 --wait"
    })
final class DeviceRemoveCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  @Mixin private final DrainWaiting waiting = new DrainWaiting();
  @Mixin private final AuthorityLoss loss = new AuthorityLoss();

  DeviceRemoveCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    progress("asking the site");
    SiteStatus before = site.status();
    int tasks = DrainWait.tasks(before, name).size();
    if (tasks > 0 && mayGo(before)) {
      site.drain(name);
      if (!waiting.isAsked(surroundings())) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "device %s is being drained, and has %d tasks: remove it when it has none, or wait for that with --wait"
                .formatted(name, tasks));
      }
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
    return !name.equals(status.device()) && (loss.isAllowed() || !status.isLastAuthority(name));
  }
}
