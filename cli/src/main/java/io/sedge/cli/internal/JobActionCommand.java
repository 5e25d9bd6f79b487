package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge job pause|resume|stop NAME}. */
@Command
final class JobActionCommand extends ControlCommand {
  /**
   * What is done to a job.
   *
   * @param header what it does, for its help
   * @param done what is said when it is done, of the job's name
   */
  private record Action(String name, String header, String done, Deed deed) {}

  /** How it is done. */
  @FunctionalInterface
  private interface Deed {
    void on(SiteControl site, String name) throws SiteException;
  }

  private static final List<Action> ACTIONS =
      List.of(
          new Action(
              "pause",
              "Stops a job's tasks where they are.",
              "job %s is paused; it keeps its state",
              SiteControl::pause),
          new Action(
              "resume",
              "Lets a paused job go on from where it was.",
              "job %s runs again",
              SiteControl::resume),
          new Action(
              "stop",
              "Ends a job for good; rows that it has given are still delivered.",
              "job %s is stopped",
              SiteControl::stop));

  private final Action action;

  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  private JobActionCommand(Surroundings surroundings, Action action) {
    super(surroundings);
    this.action = action;
  }

  static void addTo(CommandLine jobs, Surroundings surroundings) {
    for (Action action : ACTIONS) {
      CommandLine line = new CommandLine(new JobActionCommand(surroundings, action));
      line.getCommandSpec()
          .usageMessage()
          .header(action.header())
          .footer("Example:", "  sedge job %s plant".formatted(action.name()));
      jobs.addSubcommand(action.name(), line);
    }
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    action.deed().on(site, name);
    done(answers, action.done().formatted(name), Map.of("job", name, "done", action.name()));
  }
}
