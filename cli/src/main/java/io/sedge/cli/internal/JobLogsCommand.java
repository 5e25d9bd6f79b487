package io.sedge.cli.internal;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sedge.cli.internal.output.Style;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLogReader;
import io.sedge.site.api.SiteLogReader.SiteLine;
import io.sedge.task.Printable;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge job logs}. */
@Command(
    name = "logs",
    header = "Shows what a job's tasks have said on the devices of the site.",
    description = {
      "Without NAME: what all have said, and the devices themselves. Lines are in the order of",
      "the devices' clocks. Standard error, and JSON, name devices that cannot be asked."
    },
    footer = {
      "Examples:",
      "  sedge job logs plant",
      "  sedge job logs plant -f",
      "  sedge job logs --device gateway-2"
    })
final class JobLogsCommand extends ControlCommand {
  private static final long LOOK_MILLIS = 1_000;

  /** Devices that could not be asked, and new ones, are asked each so many looks. */
  private static final int LOOKS_BEFORE_ALL = 10;

  @Parameters(paramLabel = "NAME", arity = "0..1", description = "The job.")
  private String name = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until Ctrl-C.")
  private boolean follow;

  @Option(names = "--device", paramLabel = "DEVICE", description = "Only of this device.")
  private String device = "";

  /** Devices of which it was said that they cannot be asked. */
  private Set<String> missing = Set.of();

  /** Of the devices' names. */
  private int widest;

  JobLogsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** A line, and who has said it. */
  record Told(String device, @JsonUnwrapped LogLine line) {}

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings().interruptions().onInterrupt(stopped::countDown);
    SiteLogReader reader = new SiteLogReader(site::siteLogs, name);
    Set<String> asked = device.isEmpty() ? Set.of() : Set.of(device);
    int looks = 0;
    do {
      boolean all = looks % LOOKS_BEFORE_ALL == 0;
      looks++;
      Set<String> now = all ? asked : reader.heard();
      List<SiteLine> lines = all || !now.isEmpty() ? reader.read(now) : List.of();
      note(reader, answers);
      for (SiteLine said : lines) {
        if (wantsJson()) {
          answers.json(new Told(said.device(), said.line()));
        } else {
          answers.text(text(said));
        }
      }
    } while (follow && !answers.isClosed() && !stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
  }

  /** Says which devices cannot be asked any more. */
  private void note(SiteLogReader reader, Answers answers) {
    Stream.concat(reader.heard().stream(), reader.missing().keySet().stream())
        .forEach(known -> widest = Math.max(widest, known.length()));
    Set<String> before = missing;
    missing = reader.missing().keySet();
    reader
        .missing()
        .forEach(
            (lost, why) -> {
              if (!before.contains(lost)) {
                new UnavailableDevice(lost, why).tell(surroundings(), answers, wantsJson());
              }
            });
  }

  private String text(SiteLine said) {
    boolean colours = surroundings().coloursOut();
    LogLine line = said.line();
    String severity =
        switch (line.severity()) {
          case INFO -> "info   ";
          case WARNING -> Style.YELLOW.on(colours, "warning");
          case ERROR -> Style.RED.on(colours, "error  ");
        };
    String task = line.task().isEmpty() ? "" : line.task() + ": ";
    return "%s %s%s %s %s"
        .formatted(
            Instant.ofEpochMilli(line.atMillis()),
            said.device(),
            " ".repeat(widest - said.device().length()),
            severity,
            Printable.text(task + line.text()));
  }
}
