package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteControl;
import io.sedge.site.SiteException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge device drain|undrain NAME}. */
@Command
final class DeviceActionCommand extends ControlCommand {
  private static final List<Action> ACTIONS =
      List.of(
          new Action(
              "drain",
              "Moves a device's tasks to others and gives it no more.",
              "device %s is being drained; `sedge site status` shows when it has no tasks any more",
              SiteControl::drain),
          new Action(
              "undrain",
              "Uses a drained device again.",
              "device %s is used again",
              SiteControl::undrain));

  private final Action action;

  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  private DeviceActionCommand(Surroundings surroundings, Action action) {
    super(surroundings);
    this.action = action;
  }

  static void addTo(CommandLine devices, Surroundings surroundings) {
    for (Action action : ACTIONS) {
      add(devices, new DeviceActionCommand(surroundings, action), action, "gateway-2");
    }
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    progress("asking the site");
    action.deed().on(site, name);
    done(answers, action.done().formatted(name), Map.of("device", name, "done", action.name()));
  }
}
