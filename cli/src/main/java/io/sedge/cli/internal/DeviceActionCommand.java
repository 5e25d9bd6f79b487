package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge device drain|undrain|remove|expel NAME}. */
@Command
final class DeviceActionCommand extends ControlCommand {
  private final Action action;

  @Parameters(paramLabel = "NAME", description = "The device, as `sedge site status` names it.")
  private String name = "";

  /** What is done to a device. */
  enum Action {
    drain(
        "Moves a device's tasks to others and gives it no more.",
        "device %s is being drained; `sedge site status` shows when it has no tasks any more") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.drain(name);
      }
    },
    undrain("Uses a drained device again.", "device %s is used again") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.undrain(name);
      }
    },
    remove(
        "Takes a device that has no tasks out of the site; drain it first.",
        "device %s is no device of this site any more") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.removeDevice(name);
      }
    },
    expel(
        "Shuts a device out at once and for good: lost, stolen or not to be trusted.",
        "device %s is shut out: the others refuse its certificate and its key") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.expel(name);
      }
    };

    private final String header;
    private final String done;

    Action(String header, String done) {
      this.header = header;
      this.done = done;
    }

    abstract void on(DeviceConnection site, String name) throws SiteException;
  }

  private DeviceActionCommand(Surroundings surroundings, Action action) {
    super(surroundings);
    this.action = action;
  }

  static void addTo(CommandLine devices, Surroundings surroundings) {
    for (Action action : Action.values()) {
      CommandLine command = new CommandLine(new DeviceActionCommand(surroundings, action));
      command.getCommandSpec().usageMessage().header(action.header);
      command
          .getCommandSpec()
          .usageMessage()
          .footer("Example:", "  sedge device %s gateway-2".formatted(action));
      devices.addSubcommand(action.name(), command);
    }
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    progress("asking the site");
    action.on(site, name);
    done(answers, action.done.formatted(name), Map.of("device", name, "done", action.name()));
  }
}
