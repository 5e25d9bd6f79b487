package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code sedge job list}. */
@Command(
    name = "list",
    header = "Shows the jobs of the site.",
    footer = {"Example:", "  sedge job list --output json | jq ."})
final class JobListCommand extends ControlCommand {
  JobListCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    List<JobStatus> jobs = site.jobs();
    if (wantsJson()) {
      jobs.forEach(answers::json);
    } else if (jobs.isEmpty()) {
      surroundings().err().println("sedge: the site has no jobs; `sedge job submit FILE` adds one");
    } else {
      answers.text(String.join("\n", new SiteText(surroundings().coloursOut()).jobs(jobs)));
    }
  }
}
