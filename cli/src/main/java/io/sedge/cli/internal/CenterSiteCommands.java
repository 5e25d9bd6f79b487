package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.ConditionReport;
import io.sedge.center.api.SiteLogReport;
import io.sedge.center.api.SiteReport;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.task.Printable;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center site} and what is below it. */
@Command(
    name = "site",
    header = "Shows the sites that report to a center, and says what they may.",
    footer = {
      "Examples:",
      "  sedge center site list",
      "  sedge center site show north",
      "  sedge center site label north plant=hamburg",
      "  sedge center site log north --device a",
      "  sedge center site bundle north a"
    })
final class CenterSiteCommands extends GroupCommand {
  private CenterSiteCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterSiteCommands(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Show(surroundings))
        .addSubcommand(new Label(surroundings))
        .addSubcommand(new Log(surroundings))
        .addSubcommand(new Bundle(surroundings))
        .addSubcommand(new Accept(surroundings))
        .addSubcommand(new Revoke(surroundings));
  }

  private static String labels(Map<String, String> labels) {
    return labels.isEmpty()
        ? "-"
        : new TreeMap<>(labels)
            .entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
  }

  private static String free(long bytes) {
    return bytes < 0 ? "-" : Quantities.bytes(bytes);
  }

  private static String state(SiteReport site) {
    return site.held() == null ? site.state() : site.state() + ", held";
  }

  /** One that names a site. */
  abstract static class OfOne extends CenterCommand.Answering {
    @Parameters(
        index = "0",
        paramLabel = "NAME",
        description = "The site, as `sedge center site list` names it.")
    private String name = "";

    OfOne(Surroundings surroundings) {
      super(surroundings);
    }

    String name() {
      return name;
    }
  }

  /** {@code sedge center site list}. */
  @Command(
      name = "list",
      header = "Shows the sites that the center knows.",
      footer = {"Example:", "  sedge center site list --output json | jq ."})
  static final class ListCommand extends CenterCommand.Answering {
    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<SiteReport> sites = center.sites();
      TextTable table =
          new TextTable("NAME", "STATE", "SEEN", ">DEVICES UP", "VERSION", ">DISK FREE", "LABELS");
      sites.forEach(
          site ->
              table.add(
                  site.name(),
                  state(site),
                  time(site.seenAtMillis()),
                  site.inventory() == null
                      ? "-"
                      : "%d of %d"
                          .formatted(site.inventory().devicesUp(), site.inventory().devices()),
                  site.inventory() == null ? "-" : String.join(", ", site.inventory().versions()),
                  site.inventory() == null ? "-" : free(site.inventory().diskFreeBytes()),
                  labels(site.labels())));
      showAll(answers, sites, table, "no site has enrolled; `sedge center token` lets one in");
    }
  }

  /** {@code sedge center site show}. */
  @Command(
      name = "show",
      header = "Shows a site, and what it has sent.",
      footer = {"Example:", "  sedge center site show north"})
  static final class Show extends OfOne {
    Show(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      SiteReport site = center.site(name());
      List<String> lines = new ArrayList<>(lines(site));
      if (site.inventory() != null) {
        lines.addAll(condition(center.condition(name())));
      }
      show(answers, site, lines);
    }

    private static List<String> condition(ConditionReport told) {
      List<String> lines = new ArrayList<>();
      lines.add("told by device %s at %s:".formatted(told.leader(), time(told.toldAtMillis())));
      TextTable devices = new TextTable("DEVICE", "STATE", "UP", "VERSION", ">DISK FREE");
      told.devices()
          .forEach(
              device ->
                  devices.add(
                      device.name(),
                      device.state().toLowerCase(Locale.ROOT),
                      device.alive() ? "yes" : "no",
                      device.version(),
                      free(device.diskFreeBytes())));
      lines.addAll(devices.lines());
      TextTable jobs =
          new TextTable("JOB", ">CENTER'S VERSION", "STATE", ">RUNNING", ">LAG S", "WHY");
      told.jobs()
          .forEach(
              job ->
                  jobs.add(
                      job.name(),
                      job.given() == 0 ? "-" : Long.toString(job.given()),
                      job.state().toLowerCase(Locale.ROOT),
                      "%d of %d".formatted(job.runningTasks(), job.tasks()),
                      job.lagSeconds() < 0 ? "-" : "%.1f".formatted(job.lagSeconds()),
                      job.detail().isEmpty() ? "-" : job.detail()));
      lines.addAll(jobs.lines());
      return lines;
    }

    private static List<String> lines(SiteReport site) {
      List<String> lines = new ArrayList<>();
      lines.add(
          "site %s, %s, enrolled at %s, last heard of at %s"
              .formatted(
                  site.name(),
                  state(site),
                  time(site.enrolledAtMillis()),
                  time(site.seenAtMillis())));
      lines.add("labels: %s".formatted(labels(site.labels())));
      if (site.held() != null) {
        lines.add(
            "its rows are refused: %s; `sedge center site accept %s` lets them in"
                .formatted(site.held(), site.name()));
      }
      if (site.streams() == null || site.streams().isEmpty()) {
        lines.add("it has sent no rows yet");
        return lines;
      }
      TextTable table = new TextTable("TASK", "SINK", "TABLE", ">SEQUENCE", ">ROWS", ">BYTES");
      site.streams()
          .forEach(
              stream ->
                  table.add(
                      stream.job() + "/" + stream.task(),
                      stream.sink(),
                      stream.table(),
                      "%,d".formatted(stream.sequence()),
                      "%,d".formatted(stream.rows()),
                      Quantities.bytes(stream.bytes())));
      lines.addAll(table.lines());
      return lines;
    }
  }

  /** {@code sedge center site label}. */
  @Command(
      name = "label",
      header = "Gives a site labels; those that are not named stay.",
      footer = {
        "Examples:",
        "  sedge center site label north plant=hamburg line=3",
        "  sedge center site label north --remove line"
      })
  static final class Label extends OfOne {
    @Parameters(index = "1..*", paramLabel = "KEY=VALUE", description = "Labels.")
    private Map<String, String> labels = new LinkedHashMap<>();

    @Option(
        names = "--remove",
        paramLabel = "KEY",
        description = "A label to take away; may be repeated.")
    private List<String> removed = new ArrayList<>();

    Label(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      Map<String, String> all = new TreeMap<>(center.site(name()).labels());
      all.putAll(labels);
      all.keySet().removeAll(removed);
      center.label(name(), all);
      done(
          answers,
          "labels of site %s: %s".formatted(name(), labels(all)),
          Map.of("site", name(), "labels", all));
    }
  }

  /** {@code sedge center site log}. */
  @Command(
      name = "log",
      header = "Shows the latest that the devices of a site have said.",
      description = {
        "The site is asked, so it must be there. Its owner must have said `sedge site allow",
        "--diagnosis`."
      },
      footer = {
        "Examples:",
        "  sedge center site log north",
        "  sedge center site log north --device gateway-2 --job plant"
      })
  static final class Log extends OfOne {
    @Option(names = "--device", paramLabel = "DEVICE", description = "Only of this device.")
    private String device = "";

    @Option(names = "--job", paramLabel = "JOB", description = "Only about this job.")
    private String job = "";

    Log(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      SiteLogReport log = center.siteLog(name(), device, job);
      if (wantsJson()) {
        log.lines().forEach(answers::json);
      } else {
        int widest = log.lines().stream().mapToInt(line -> line.device().length()).max().orElse(0);
        answers.text(
            log.lines().stream().map(line -> text(line, widest)).collect(Collectors.joining("\n")));
      }
      new TreeMap<>(log.unavailable())
          .forEach(
              (lost, why) ->
                  new UnavailableDevice(lost, why).tell(surroundings(), answers, wantsJson()));
    }

    private static String text(SiteLogReport.Line line, int widest) {
      String task = line.task() == null ? "" : line.task() + ": ";
      return Printable.text(
          "%s %s%s %-7s %s"
              .formatted(
                  Instant.ofEpochMilli(line.atMillis()),
                  line.device(),
                  " ".repeat(widest - line.device().length()),
                  line.severity(),
                  task + line.message()));
    }
  }

  /** {@code sedge center site bundle}. */
  @Command(
      name = "bundle",
      header = "Gets a zip file with what somebody needs who looks for a fault of a device.",
      description = {
        "The device makes it now, as `sedge device bundle` does there. Its site's owner must have",
        "said `sedge site allow --diagnosis`."
      },
      footer = {"Example:", "  sedge center site bundle north gateway-2"})
  static final class Bundle extends OfOne {
    @Parameters(index = "1", paramLabel = "DEVICE", description = "The device.")
    private String device = "";

    @Option(
        names = "--to",
        paramLabel = "FILE",
        description = "Write it there (default: sedge-SITE-DEVICE-TIME.zip, here).")
    private @Nullable Path to;

    Bundle(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      Path file =
          BundleFile.of(
              surroundings(), to, name() + "-" + device, surroundings().clock().instant());
      int bytes = center.bundle(name(), device, file);
      done(
          answers,
          "%s: %s".formatted(file, Quantities.bytes(bytes)),
          Map.of("file", file.toString(), "bytes", bytes));
    }
  }

  /** {@code sedge center site accept}. */
  @Command(
      name = "accept",
      header = "Says that a site was restored from an older state: its rows are taken again.",
      description = {
        "Rows that are stored stay. What the site sends from now on is stored besides them, also",
        "what it has sent before."
      },
      footer = {"Example:", "  sedge center site accept north"})
  static final class Accept extends OfOne {
    Accept(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      int generation = center.acceptRestored(name());
      done(
          answers,
          "site %s begins anew, generation %d".formatted(name(), generation),
          Map.of("site", name(), "done", "accept", "generation", generation));
    }
  }

  /** {@code sedge center site revoke}. */
  @Command(
      name = "revoke",
      header = "Shuts a site out; with a new token it may enrol again.",
      footer = {"Example:", "  sedge center site revoke north"})
  static final class Revoke extends OfOne {
    Revoke(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      center.revoke(name());
      done(
          answers,
          "site %s is shut out; what it has sent stays".formatted(name()),
          Map.of("site", name(), "done", "revoke"));
    }
  }
}
