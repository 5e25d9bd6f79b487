package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.ConditionReport;
import io.sedge.center.api.SiteReport;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.task.FailureCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
      "  sedge center site label north plant=hamburg"
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
        .addSubcommand(new Accept(surroundings))
        .addSubcommand(new Revoke(surroundings));
  }

  private static String labels(SiteReport site) {
    return site.labels().isEmpty()
        ? "-"
        : new TreeMap<>(site.labels())
            .entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(" "));
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
      TextTable table = new TextTable("NAME", "STATE", "SEEN", "ENROLLED", "LABELS");
      sites.forEach(
          site ->
              table.add(
                  site.name(),
                  state(site),
                  time(site.seenAtMillis()),
                  time(site.enrolledAtMillis()),
                  labels(site)));
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
      List<String> lines = lines(site);
      try {
        lines.addAll(lines(center.condition(name())));
      } catch (CenterException e) {
        if (e.code() != FailureCode.UNKNOWN_NAME) {
          throw e;
        }
        // A site of a version before tells nothing.
      }
      show(answers, site, lines);
    }

    private static List<String> lines(ConditionReport condition) {
      List<String> lines = new ArrayList<>();
      lines.add("at %s it was so:".formatted(time(condition.toldAtMillis())));
      TextTable devices = new TextTable("DEVICE", "VERSION", "STATE", ">DISK FREE");
      condition
          .devices()
          .forEach(
              device ->
                  devices.add(
                      device.name(),
                      device.version().isEmpty() ? "-" : device.version(),
                      device.alive() ? device.state() : "gone",
                      device.diskFreeBytes() < 0 ? "-" : Quantities.bytes(device.diskFreeBytes())));
      lines.addAll(devices.lines());
      TextTable jobs =
          new TextTable(
              "JOB", "STATE", ">RUNNING", ">WAITING ROWS", ">MALFORMED", ">FAILURES", "WHY");
      condition
          .jobs()
          .forEach(
              job ->
                  jobs.add(
                      job.name(),
                      job.state(),
                      "%d of %d".formatted(job.runningTasks(), job.tasks()),
                      "%,d".formatted(job.waitingRows()),
                      "%,d".formatted(job.malformed()),
                      "%,d".formatted(job.failures()),
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
      lines.add("labels: %s".formatted(labels(site)));
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
          "site %s has the labels %s".formatted(name(), all),
          Map.of("site", name(), "labels", all));
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
