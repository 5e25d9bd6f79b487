package io.sedge.cli.internal;

import io.sedge.cli.internal.output.LiveTable;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge site watch}. */
@Command(
    name = "watch",
    header = "Shows the site as it changes, until Ctrl-C.",
    description = {
      "In a terminal the status is redrawn in place; elsewhere a line is written for each change"
          + " of",
      "a device, the leader or a task's place. With --output json: the whole status, one a line."
    },
    footer = {"Examples:", "  sedge site watch", "  sedge site watch --output json | jq .makespan"})
final class SiteWatchCommand extends ControlCommand {
  private static final String ESCAPE = "\u001b[";
  private static final String CLEAR_LINE = ESCAPE + "K";
  private static final String CLEAR_BELOW = ESCAPE + "J";

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "500ms",
      converter = DurationConverter.class,
      description = "How often the device is asked (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ofMillis(500);

  private int linesOnScreen;
  private Map<String, String> said = Map.of();

  SiteWatchCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings().interruptions().onInterrupt(stopped::countDown);
    do {
      SiteStatus status = site.status();
      if (wantsJson()) {
        answers.json(status);
      } else if (surroundings().outIsTerminal()) {
        answers.text(frame(status));
      } else {
        changes(status, answers);
      }
    } while (!answers.isClosed() && !stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** The cursor goes up to where the last frame began. */
  private String frame(SiteStatus status) {
    LiveTable.Size screen = surroundings().screen().get();
    List<String> lines = new SiteText(surroundings().coloursOut()).lines(status);
    int room = Math.max(1, screen.rows() - 1);
    boolean tooLong = lines.size() > room;
    List<String> shown = tooLong ? lines.subList(0, room - 1) : lines;
    StringBuilder text = new StringBuilder(ESCAPE + "?7l");
    if (linesOnScreen > 0) {
      text.append(ESCAPE).append(linesOnScreen).append('A');
    }
    text.append('\r');
    shown.forEach(line -> text.append(line).append(CLEAR_LINE).append('\n'));
    if (tooLong) {
      text.append("... %d more lines".formatted(lines.size() - shown.size()))
          .append(CLEAR_LINE)
          .append('\n');
    }
    linesOnScreen = shown.size() + (tooLong ? 1 : 0);
    return text.append(CLEAR_BELOW).append(ESCAPE + "?7h").append('\r').toString();
  }

  private void changes(SiteStatus status, Answers answers) {
    Map<String, String> now = new LinkedHashMap<>();
    now.put("leader", status.leader().isEmpty() ? "none" : status.leader());
    for (DeviceStatus device : status.devices()) {
      now.put(
          "device " + device.name(), "%s, %s".formatted(SiteText.presence(device), device.state()));
    }
    status.jobs().forEach(job -> now.put("job " + job.name(), job.state().toString()));
    for (TaskStatus task : status.tasks()) {
      now.put(
          "task %s/%s".formatted(task.job(), task.shard()),
          task.device().isEmpty() ? "nowhere" : "on " + task.device());
    }
    now.forEach(
        (what, state) -> {
          if (!state.equals(said.get(what))) {
            answers.text(what + ": " + state);
          }
        });
    said.keySet().stream()
        .filter(what -> !now.containsKey(what))
        .forEach(what -> answers.text(what + ": no longer there"));
    said = now;
  }
}
