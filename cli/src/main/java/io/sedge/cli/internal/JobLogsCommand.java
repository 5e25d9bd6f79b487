package io.sedge.cli.internal;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sedge.cli.internal.output.Style;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge job logs}. */
@Command(
    name = "logs",
    header = "Shows what a job's tasks have said on the devices of the site.",
    description = {
      "Without NAME: what all have said, and the devices themselves. Lines are in the order of",
      "the devices' clocks. A device that cannot be asked is named on standard error."
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

  /** How far each device was read. */
  private final Map<String, String> marks = new HashMap<>();

  /** Devices that could not be asked when they were last asked. */
  private final Set<String> missing = new HashSet<>();

  /** Of the devices' names. */
  private int widest;

  JobLogsCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** A line, and who has said it. */
  record SiteLine(String device, @JsonUnwrapped LogLine line) {}

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    surroundings().interruptions().onInterrupt(stopped::countDown);
    Set<String> asked = device.isEmpty() ? Set.of() : Set.of(device);
    int looks = 0;
    do {
      boolean all = looks % LOOKS_BEFORE_ALL == 0;
      looks++;
      Set<String> now = all ? asked : heard();
      Map<String, List<LogLine>> lines = all || !now.isEmpty() ? read(site, now) : Map.of();
      for (SiteLine line : merged(lines)) {
        if (wantsJson()) {
          answers.json(line);
        } else {
          answers.text(text(line));
        }
      }
    } while (follow && !answers.isClosed() && !stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
  }

  private Set<String> heard() {
    Set<String> heard = new HashSet<>(marks.keySet());
    heard.removeAll(missing);
    return heard;
  }

  /** What is new of each device, in as many pages as there are. */
  private Map<String, List<LogLine>> read(DeviceConnection site, Set<String> devices)
      throws SiteException {
    Map<String, List<LogLine>> lines = new TreeMap<>();
    Set<String> asked = devices;
    do {
      Set<String> unfinished = new HashSet<>();
      for (DeviceLogs logs : ask(site, asked, !lines.isEmpty())) {
        note(logs);
        List<LogLine> read = lines.computeIfAbsent(logs.device(), _ -> new ArrayList<>());
        read.addAll(logs.page().lines());
        if (logs.page().more() && read.size() < SiteControl.MAX_LOG_LINES) {
          unfinished.add(logs.device());
        }
      }
      asked = unfinished;
    } while (!asked.isEmpty());
    return lines;
  }

  /**
   * @param goingOn whether pages of these devices were read before; one that is no device any more
   *     has no further ones
   */
  private List<DeviceLogs> ask(DeviceConnection site, Set<String> devices, boolean goingOn)
      throws SiteException {
    try {
      return site.siteLogs(name, devices, marks);
    } catch (SiteException e) {
      if (goingOn && e.code() == FailureCode.UNKNOWN_NAME) {
        return List.of();
      }
      throw e;
    }
  }

  private void note(DeviceLogs logs) {
    widest = Math.max(widest, logs.device().length());
    if (logs.failure().isEmpty()) {
      missing.remove(logs.device());
      marks.put(logs.device(), logs.page().mark());
    } else if (missing.add(logs.device())) {
      surroundings()
          .err()
          .println(
              "sedge: device %s cannot be asked: %s; its lines are missing"
                  .formatted(logs.device(), Printable.text(logs.failure())));
    }
  }

  /** By time; those of one device stay in their order, even where its clock was set back. */
  static List<SiteLine> merged(Map<String, List<LogLine>> lines) {
    record Timed(long atMillis, SiteLine line) {}
    List<Timed> all = new ArrayList<>();
    lines.forEach(
        (name, said) -> {
          long latest = Long.MIN_VALUE;
          for (LogLine line : said) {
            latest = Math.max(latest, line.atMillis());
            all.add(new Timed(latest, new SiteLine(name, line)));
          }
        });
    all.sort(Comparator.comparingLong(Timed::atMillis));
    return all.stream().map(Timed::line).toList();
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
