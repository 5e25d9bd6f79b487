package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--wait",
      negatable = true,
      description = {
        "Wait until it has no tasks any more, and show those that it has. Ctrl-C",
        "ends the waiting, not the draining. Default: in a terminal."
      })
  private @Nullable Boolean wait;

  DeviceDrainCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    progress("asking the site");
    site.drain(name);
    boolean waits = wait == null ? surroundings().errIsTerminal() : wait;
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
