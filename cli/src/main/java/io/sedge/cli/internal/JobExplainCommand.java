package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Style;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JobExplanation;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge job explain}. */
@Command(
    name = "explain",
    header = "Shows how a job is cut into tasks, where each runs and why.",
    footer = {"Example:", "  sedge job explain plant"})
final class JobExplainCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  JobExplainCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    JobExplanation explanation = site.explain(name);
    if (wantsJson()) {
      answers.json(explanation);
      return;
    }
    boolean colours = surroundings().coloursOut();
    StringBuilder text = new StringBuilder(explanation.text().stripTrailing()).append('\n');
    for (JobExplanation.Part part : explanation.parts()) {
      text.append('\n')
          .append(Style.BOLD.on(colours, "task " + part.shard()))
          .append(part.device().isEmpty() ? " runs nowhere" : " runs on " + part.device())
          .append('\n');
      indent(text, part.why());
      indent(text, part.plan());
    }
    answers.text(text.toString());
  }

  private static void indent(StringBuilder text, String lines) {
    lines.lines().forEach(line -> text.append("  ").append(line).append('\n'));
  }
}
