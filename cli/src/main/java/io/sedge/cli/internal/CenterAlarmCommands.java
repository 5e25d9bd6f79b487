package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.AlarmsReport;
import io.sedge.center.api.Requests;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center alarm} and what is below it. */
@Command(
    name = "alarm",
    header = "Shows the alarms of sites, and acts on them.",
    footer = {
      "A site's owner must allow acting first: `sedge site allow --alarms`.",
      "",
      "Examples:",
      "  sedge center alarm list",
      "  sedge center alarm acknowledge north 17.2 --note 'fitter is on the way'"
    })
final class CenterAlarmCommands extends GroupCommand {
  private CenterAlarmCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterAlarmCommands(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Acknowledge(surroundings))
        .addSubcommand(new Shelve(surroundings))
        .addSubcommand(new Unshelve(surroundings));
  }

  /** {@code sedge center alarm list}. */
  @Command(
      name = "list",
      header = "Shows the alarms of sites, those that ask for attention first.",
      footer = {"Examples:", "  sedge center alarm list", "  sedge center alarm list north"})
  static final class ListCommand extends CenterCommand.Answering {
    @Parameters(
        index = "0",
        arity = "0..1",
        paramLabel = "SITE",
        description = "One site alone, as `sedge center site list` names it.")
    private @Nullable String site;

    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      AlarmsReport report = center.alarms(Optional.ofNullable(site));
      TextTable table =
          new TextTable(
              "SITE", ">ID", "PRIORITY", "STATE", AlarmText.RAISED, "JOB", "TABLE", "KEY", "WHAT");
      for (AlarmsReport.OfSite alarm : report.alarms()) {
        String message = alarm.message();
        table.add(
            alarm.site(),
            new AlarmId(alarm.id(), alarm.raised()).toString(),
            alarm.priority(),
            alarm.shelvedUntilMillis() == null
                ? alarm.state()
                : "shelved until " + time(alarm.shelvedUntilMillis()),
            time(alarm.raisedAtMillis()),
            AlarmText.printable(alarm.job()),
            AlarmText.printable(alarm.table()),
            AlarmText.printable(alarm.key()),
            AlarmText.what(alarm.value(), message == null ? "" : message));
      }
      showAll(answers, report.alarms(), table, "no site has told of alarms");
      if (report.alarms().size() < report.told()) {
        remark(
            "%,d of %,d alarms are shown; name a site for more"
                .formatted(report.alarms().size(), report.told()));
      }
      if (report.counts().flood()) {
        remark(
            "a flood: %d alarms within ten minutes"
                .formatted(report.counts().raisedInTenMinutes()));
      }
    }
  }

  /** What is done to alarms of a site. */
  @Command
  abstract static class Acting extends CenterCommand.Answering {
    private static final long LOOK_MILLIS = 250;

    /** Longer than an order may take to be sent, so that it has ended then. */
    private static final Duration PATIENCE = Duration.ofMinutes(12);

    @Parameters(
        index = "0",
        paramLabel = "SITE",
        description = "The site, as `sedge center site list` names it.")
    private String site = "";

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "ID",
        description = "Alarms, as `sedge center alarm list` numbers them.")
    private List<String> ids = List.of();

    @Option(
        names = "--note",
        paramLabel = "TEXT",
        description = "Why; kept with the alarm, together with your name.")
    private @Nullable String note;

    @Option(names = "--wait", description = "Waits until the site has done it, or will not.")
    private boolean waits;

    private final String action;

    /**
     * @param action what is done
     */
    Acting(Surroundings surroundings, String action) {
      super(surroundings);
      this.action = action;
    }

    /** For how long; absent where that means nothing. */
    @Nullable Long shelveSeconds() {
      return null;
    }

    @Override
    void ask(CenterClient center, Answers answers)
        throws CenterException, SiteException, InterruptedException {
      List<Requests.ForAlarms.Target> targets =
          AlarmId.all(ids, "sedge center alarm list").stream()
              .map(one -> new Requests.ForAlarms.Target(one.id(), one.raised()))
              .toList();
      AlarmsReport.Action given =
          center.act(site, action, new Requests.ForAlarms(targets, shelveSeconds(), note));
      long begin = System.nanoTime();
      while (waits && !given.ended() && System.nanoTime() - begin < PATIENCE.toNanos()) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        given = center.alarmAction(site, given.id());
      }
      String detail = given.detail();
      show(
          answers,
          given,
          List.of(
              "action  %s".formatted(given.id()),
              "at      %s, %s %d".formatted(given.site(), given.action(), given.alarms()),
              "state   %s%s"
                  .formatted(given.state(), detail == null ? "" : " (%s)".formatted(detail))));
      if (waits && !given.state().equals("done")) {
        throw new SiteException(
            FailureCode.NOT_NOW, "the site is not known to have done it: it is " + given.state());
      }
    }
  }

  /** {@code sedge center alarm acknowledge}. */
  @Command(
      name = "acknowledge",
      header = "Says that somebody has seen alarms of a site.",
      description = {
        "17.2 is alarm 17 as it was raised for the second time. If it was raised again since,",
        "it stays unacknowledged. A number alone takes what there is, seen or not.",
      },
      footer = {
        "With --wait the exit code is 2 if the site has not done it.",
        "",
        "Example:",
        "  sedge center alarm acknowledge north 17.2 --note 'fitter is on the way' --wait"
      })
  static final class Acknowledge extends Acting {
    Acknowledge(Surroundings surroundings) {
      super(surroundings, "acknowledge");
    }
  }

  /** {@code sedge center alarm shelve}. */
  @Command(
      name = "shelve",
      header = "Puts alarms of a site aside for a time, seven days at most.",
      footer = {
        "With --wait the exit code is 2 if the site has not done it.",
        "",
        "Example:",
        "  sedge center alarm shelve north 17 --for 8h --note 'sensor is being replaced'"
      })
  static final class Shelve extends Acting {
    @Option(
        names = "--for",
        paramLabel = "TIME",
        required = true,
        converter = DurationConverter.class,
        description = "For how long: 30min, 8h, 2d.")
    private Duration time = Duration.ZERO;

    Shelve(Surroundings surroundings) {
      super(surroundings, "shelve");
    }

    @Override
    Long shelveSeconds() {
      return time.toSeconds();
    }
  }

  /** {@code sedge center alarm unshelve}. */
  @Command(
      name = "unshelve",
      header = "Takes alarms of a site back that were put aside.",
      footer = {
        "With --wait the exit code is 2 if the site has not done it.",
        "",
        "Example:",
        "  sedge center alarm unshelve north 17"
      })
  static final class Unshelve extends Acting {
    Unshelve(Surroundings surroundings) {
      super(surroundings, "unshelve");
    }
  }
}
