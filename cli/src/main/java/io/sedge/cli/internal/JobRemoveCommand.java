package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.Printable;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge job remove}. */
@Command(
    name = "remove",
    header = "Forgets a job that has ended, with its state.",
    footer = {"Example:", "  sedge job remove plant"})
final class JobRemoveCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The job, as `sedge job list` names it.")
  private String name = "";

  @Option(
      names = "--discard-rows",
      description = "Also if rows that it has given are not delivered yet: they are lost.")
  private boolean discardRows;

  JobRemoveCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    long lost = site.removeJob(name, discardRows);
    done(
        answers,
        lost == 0
            ? "job %s is forgotten".formatted(name)
            : "job %s is forgotten, and %s that were not delivered"
                .formatted(name, Printable.count(lost, "row")),
        Map.of("job", name, "done", "remove", "discardedRows", lost));
  }
}
