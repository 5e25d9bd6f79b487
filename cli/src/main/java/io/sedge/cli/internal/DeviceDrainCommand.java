package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge device drain}. */
@Command(
    name = "drain",
    header = "Moves a device's tasks to others and gives it no more.",
    footer = {
      "Examples:",
      "  sedge device drain gateway-2",
      "  sedge device drain gateway-2 --wait"
    })
final class DeviceDrainCommand extends DeviceActionCommand {
  @Mixin private final DrainWaiting waiting = new DrainWaiting();

  DeviceDrainCommand(Surroundings surroundings) {
    super(surroundings, "drain");
  }

  @Override
  void act(DeviceConnection site, String name, Answers answers)
      throws SiteException, InterruptedException {
    site.drain(name);
    boolean waited = waiting.waitIfAsked(site, name, surroundings());
    done(
        answers,
        waited
            ? "device %s is drained: it has no tasks any more"
            : "device %s is being drained; `sedge site status` shows when it has no tasks any"
                + " more");
  }
}
