package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.task.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge job wait}. */
@Command(
    name = "wait",
    header = "Waits until a job has ended, and shows how it gets on.",
    description = {
      "Ends with 0 when the job is finished and its rows are delivered, and as other errors do if",
      "it fails or is stopped, or the waiting is ended by Ctrl-C, which leaves the job alone. With",
      "--output json: the job's status at the end."
    },
    footer = {"Example:", "  sedge job wait history"})
final class JobWaitCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  JobWaitCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    JobStatus job = new JobWait(surroundings()).until(site::jobs, name);
    if (wantsJson()) {
      answers.json(job);
    } else {
      surroundings()
          .err()
          .println(
              "sedge: job %s is finished; it gave %s"
                  .formatted(name, Printable.count(job.rows(), "row")));
    }
  }
}
