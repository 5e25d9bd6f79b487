package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.SiteException;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge job pause|resume|stop NAME}. */
@Command
final class JobActionCommand extends ControlCommand {
  private final Action action;

  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  /** What is done to a job. */
  enum Action {
    pause("Stops a job's tasks where they are.", "job %s is paused; it keeps its state") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.pause(name);
      }
    },
    resume("Lets a paused job go on from where it was.", "job %s runs again") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.resume(name);
      }
    },
    stop("Ends a job for good; rows that it has given are still delivered.", "job %s is stopped") {
      @Override
      void on(DeviceConnection site, String name) throws SiteException {
        site.stop(name);
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

  private JobActionCommand(Surroundings surroundings, Action action) {
    super(surroundings);
    this.action = action;
  }

  static void addTo(CommandLine jobs, Surroundings surroundings) {
    for (Action action : Action.values()) {
      CommandLine command = new CommandLine(new JobActionCommand(surroundings, action));
      command.getCommandSpec().usageMessage().header(action.header);
      command
          .getCommandSpec()
          .usageMessage()
          .footer("Example:", "  sedge job %s plant".formatted(action));
      jobs.addSubcommand(action.name(), command);
    }
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    action.on(site, name);
    done(answers, action.done.formatted(name), Map.of("job", name, "done", action.name()));
  }
}
