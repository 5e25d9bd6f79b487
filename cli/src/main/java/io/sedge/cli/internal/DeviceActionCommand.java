package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.util.Map;
import picocli.CommandLine.Parameters;

/** {@code sedge device drain|undrain|remove|expel NAME}: something is done to one device. */
abstract class DeviceActionCommand extends ControlCommand {
  private final String action;

  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  DeviceActionCommand(Surroundings surroundings, String action) {
    super(surroundings);
    this.action = action;
  }

  @Override
  final void ask(DeviceConnection site, Answers answers)
      throws SiteException, InterruptedException {
    progress("asking the site");
    act(site, name, answers);
  }

  abstract void act(DeviceConnection site, String name, Answers answers)
      throws SiteException, InterruptedException;

  /** It was done: what is said, of the device's name. */
  void done(Answers answers, String what) {
    done(answers, what.formatted(name), Map.of("device", name, "done", action));
  }
}
