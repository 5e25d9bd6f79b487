package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device drain}. */
@Command(
    name = "drain",
    header = "Moves a device's tasks to others and gives it no more.",
    footer = {
      "Examples:",
      "  sedge device drain gateway-2",
      "  sedge device drain gateway-2 --wait"
    })
final class DeviceDrainCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  @Mixin private final DrainWaiting waiting = new DrainWaiting();

  DeviceDrainCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    progress("asking the site");
    site.drain(name);
    boolean waits = waiting.isAsked(surroundings());
    if (waits) {
      new DrainWait(surroundings()).until(DrainWait.of(site), name);
    }
    done(
        answers,
        waits
            ? "device %s is drained: it has no tasks any more".formatted(name)
            : "device %s is being drained; `sedge site status` shows when it has no tasks any more"
                .formatted(name),
        Map.of("device", name, "done", "drain"));
  }
}
