package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TaskStatus;
import io.sedge.task.FailureCode;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge site why}. */
@Command(
    name = "why",
    header = "Says why a task runs where it does, and not on each other device.",
    footer = {"Examples:", "  sedge site why plant/readings/press", "  sedge site why press"})
final class SiteWhyCommand extends ControlCommand {
  @Parameters(
      paramLabel = "SHARD",
      description = {
        "JOB/TASK as `sedge site status` names it; the end of that is enough",
        "where only one ends so."
      })
  private String shard = "";

  SiteWhyCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    TaskStatus task = task(site.status().tasks());
    String why = site.why(task.job(), task.shard());
    if (wantsJson()) {
      answers.json(Map.of("job", task.job(), "shard", task.shard(), "why", why));
    } else {
      answers.text(why);
    }
  }

  private TaskStatus task(List<TaskStatus> tasks) throws SiteException {
    List<TaskStatus> exact = tasks.stream().filter(task -> id(task).equals(shard)).toList();
    List<TaskStatus> found =
        exact.isEmpty()
            ? tasks.stream().filter(task -> id(task).endsWith("/" + shard)).toList()
            : exact;
    if (found.size() != 1) {
      List<String> ids =
          (found.isEmpty() ? tasks : found).stream().map(SiteWhyCommand::id).toList();
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "%s task is called %s; there are: %s"
              .formatted(
                  found.isEmpty() ? "no" : "more than one",
                  shard,
                  String.join(", ", ids.subList(0, Math.min(ids.size(), 20)))));
    }
    return found.getFirst();
  }

  private static String id(TaskStatus task) {
    return task.job() + "/" + task.shard();
  }
}
