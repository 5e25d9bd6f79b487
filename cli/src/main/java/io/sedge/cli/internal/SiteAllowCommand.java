package io.sedge.cli.internal;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge site allow}. */
@Command(
    name = "allow",
    header = "Says what a center may do: write to tables, give jobs, act on alarms, read logs.",
    description = {
      "At first a center may do none of it. Where columns are named, it may set no others;",
      "--min and --max belong to the --column before them."
    },
    footer = {
      "Examples:",
      "  sedge site allow press.valve --column position --min 0 --max 100 --rate 10/min",
      "  sedge site allow --jobs",
      "  sedge site allow --alarms --diagnosis",
      "  sedge site allow --list",
      "  sedge site allow press.valve --remove"
    })
final class SiteAllowCommand extends ControlCommand {
  private static final Pattern RATE = Pattern.compile("(\\d{1,6})/(s|min|h)");

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB.TABLE",
      description = "A table that a job writes to.")
  private @Nullable String table;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Bound> columns = new ArrayList<>(); // picocli adds to it.

  @Option(
      names = "--rate",
      paramLabel = "N/UNIT",
      description = "How many rows at most within a second, a minute or an hour: 10/min.")
  private @Nullable String rate;

  @Option(
      names = "--jobs",
      description = {
        "Lets the center give the site jobs. They use the files,",
        "secrets and devices that any job may use."
      })
  private boolean jobs;

  @Option(
      names = "--alarms",
      description = "Lets people at the center acknowledge and shelve alarms.")
  private boolean alarms;

  @Option(
      names = "--diagnosis",
      description = {
        "Lets people at the center read what devices have said, and",
        "get bundles of them (see `sedge device bundle`). Logs have",
        "samples of malformed readings."
      })
  private boolean diagnosis;

  @Option(names = "--list", description = "Shows what is allowed.")
  private boolean lists;

  @Option(names = "--remove", description = "Allows it no more.")
  private boolean removes;

  /** A column that may be set. */
  static final class Bound {
    @Option(
        names = "--column",
        required = true,
        paramLabel = "COLUMN",
        description = "A column that may be set; may be repeated.")
    private String name = "";

    @Option(names = "--min", paramLabel = "NUMBER", description = "Its least value.")
    private String least = "";

    @Option(names = "--max", paramLabel = "NUMBER", description = "Its greatest value.")
    private String most = "";
  }

  SiteAllowCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    Set<CenterRight> rights = rights();
    if (!rights.isEmpty() && table == null && !lists) {
      for (CenterRight right : rights) {
        site.allowCenter(right, !removes);
        done(
            answers,
            removes ? ended(right) : begun(right),
            Map.of(word(right), !removes, "done", removes ? "remove" : "allow"));
      }
      return;
    }
    if (!rights.isEmpty() || lists == (table != null) || (lists && removes)) {
      throw new SiteException(
          FailureCode.USAGE,
          "name a table (JOB.TABLE), or say --jobs, --alarms or --diagnosis, or ask for all of it"
              + " with --list");
    }
    String named = table;
    if (named == null) {
      list(site.allowedTables(), answers);
      for (CenterRight right : new TreeSet<>(site.centerRights())) {
        done(answers, begun(right), Map.of(word(right), true));
      }
      return;
    }
    JobTable of = JobTable.parse(named);
    if (removes && (!columns.isEmpty() || rate != null)) {
      throw new SiteException(
          FailureCode.USAGE,
          "--remove is of the whole table: to allow less, leave it out, which replaces what was"
              + " allowed");
    }
    if (removes) {
      site.disallowTable(of.job(), of.table());
      done(
          answers,
          "no center may write to %s any more".formatted(named),
          Map.of("table", named, "done", "remove"));
    } else {
      Allowance allowance = allowance(of);
      site.allowTable(allowance);
      done(
          answers,
          "a center may write to %s: %s, %s".formatted(named, columns(allowance), rate(allowance)),
          Map.of("table", named, "done", "allow"));
    }
  }

  /** Those that are named, in the order in which they are told. */
  private Set<CenterRight> rights() {
    Set<CenterRight> rights = EnumSet.noneOf(CenterRight.class);
    if (jobs) {
      rights.add(CenterRight.JOBS);
    }
    if (alarms) {
      rights.add(CenterRight.ALARMS);
    }
    if (diagnosis) {
      rights.add(CenterRight.DIAGNOSIS);
    }
    return rights;
  }

  private static String word(CenterRight right) {
    return right.name().toLowerCase(Locale.ROOT);
  }

  private static String begun(CenterRight right) {
    return switch (right) {
      case JOBS -> "the center may give jobs; `sedge job list` shows which it has given";
      case ALARMS ->
          "people at the center may acknowledge and shelve alarms; `sedge alarm show` says who did";
      case DIAGNOSIS ->
          "people at the center may read what devices have said, and get bundles of them; the"
              + " device's log says who did";
    };
  }

  private static String ended(CenterRight right) {
    return switch (right) {
      case JOBS -> "the center may give no jobs any more; those that it gave run on";
      case ALARMS -> "the center may not act on alarms any more";
      case DIAGNOSIS -> "the center may not ask what devices have said any more";
    };
  }

  private Allowance allowance(JobTable of) throws SiteException {
    List<Allowance.Column> bounds = new ArrayList<>();
    for (Bound bound : columns) {
      bounds.add(new Allowance.Column(bound.name, bound.least, bound.most));
    }
    int count = 0;
    Duration per = Duration.ZERO;
    String given = rate;
    if (given != null) {
      Matcher matcher = RATE.matcher(given.strip().toLowerCase(Locale.ROOT));
      count = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
      if (count < 1 || count > Allowance.MAX_COUNT) {
        throw new SiteException(
            FailureCode.USAGE,
            "--rate=%s: write 1 to %d and a unit: 2/s, 10/min, 100/h"
                .formatted(given, Allowance.MAX_COUNT));
      }
      per =
          switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(1);
            case "min" -> Duration.ofMinutes(1);
            default -> Duration.ofHours(1);
          };
    }
    try {
      return new Allowance(of.job(), of.table(), bounds, count, per.toMillis());
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
  }

  private void list(List<Allowance> allowances, Answers answers) {
    if (wantsJson()) {
      allowances.forEach(answers::json);
    } else if (allowances.isEmpty()) {
      surroundings()
          .err()
          .println("sedge: no center may write to a table; `sedge site allow JOB.TABLE` lets it");
    } else {
      TextTable text = new TextTable("TABLE", "COLUMNS", "RATE");
      allowances.forEach(
          allowance ->
              text.add(
                  allowance.job() + "." + allowance.table(), columns(allowance), rate(allowance)));
      answers.text(String.join("\n", text.lines()));
    }
  }

  private static String columns(Allowance allowance) {
    return allowance.columns().isEmpty()
        ? "all columns"
        : allowance.columns().stream()
            .map(SiteAllowCommand::column)
            .collect(Collectors.joining(", "));
  }

  private static String column(Allowance.Column column) {
    if (column.least().isEmpty() && column.most().isEmpty()) {
      return column.name();
    }
    return "%s %s..%s".formatted(column.name(), column.least(), column.most());
  }

  private static String rate(Allowance allowance) {
    return allowance.count() == 0
        ? "at any rate"
        : "%d in %d s".formatted(allowance.count(), allowance.perMillis() / 1_000);
  }
}
