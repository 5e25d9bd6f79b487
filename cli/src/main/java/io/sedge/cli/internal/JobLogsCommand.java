package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Style;
import io.sedge.site.DeviceConnection;
import io.sedge.site.LogLine;
import io.sedge.site.Printable;
import io.sedge.site.SiteException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge job logs}. */
@Command(
    name = "logs",
    header = "Shows what a job's tasks have said on this device.",
    description = "Without NAME: what all have said, and the device itself.",
    footer = {"Examples:", "  sedge job logs plant", "  sedge job logs plant -f"})
final class JobLogsCommand extends ControlCommand {
  private static final long LOOK_MILLIS = 500;

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "The job.")
  private String name = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until Ctrl-C.")
  private boolean follow;

  JobLogsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings().interruptions().onInterrupt(stopped::countDown);
    long after = 0;
    do {
      List<LogLine> lines = site.logs(name, after);
      for (LogLine line : lines) {
        after = line.number();
        if (wantsJson()) {
          answers.json(line);
        } else {
          answers.text(text(line));
        }
      }
    } while (follow && !answers.isClosed() && !stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
  }

  private String text(LogLine line) {
    boolean colours = surroundings().coloursOut();
    String severity =
        switch (line.severity()) {
          case INFO -> "info   ";
          case WARNING -> Style.YELLOW.on(colours, "warning");
          case ERROR -> Style.RED.on(colours, "error  ");
        };
    return "%s %s %s%s"
        .formatted(
            Instant.ofEpochMilli(line.atMillis()),
            severity,
            line.task().isEmpty() ? "" : line.task() + ": ",
            Printable.text(line.text()));
  }
}
