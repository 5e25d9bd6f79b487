package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.CommandReport;
import io.sedge.center.api.Requests;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center command} and what is below it. */
@Command(
    name = "command",
    header = "Sends commands to sites, and shows what has become of them.",
    footer = {
      "A site's owner must allow a table first: `sedge site allow`.",
      "",
      "Examples:",
      "  sedge center command send north press.valve position=40 --wait",
      "  sedge center command list north"
    })
final class CenterCommandCommands extends GroupCommand {
  private CenterCommandCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterCommandCommands(surroundings))
        .addSubcommand(new Send(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Show(surroundings))
        .addSubcommand(new Cancel(surroundings));
  }

  /** One that names a site. */
  abstract static class OfSite extends CenterCommand.Answering {
    @Parameters(
        index = "0",
        paramLabel = "SITE",
        description = "The site, as `sedge center site list` names it.")
    private String site = "";

    OfSite(Surroundings surroundings) {
      super(surroundings);
    }

    String site() {
      return site;
    }

    void show(Answers answers, CommandReport command) {
      String detail = command.detail();
      show(
          answers,
          command,
          List.of(
              "command  %s".formatted(command.id()),
              "to       %s, %s".formatted(command.site(), text(command)),
              "given    %s by %s".formatted(time(command.givenAtMillis()), command.givenBy()),
              "expires  %s".formatted(time(command.expiresAtMillis())),
              "state    %s%s since %s"
                  .formatted(
                      command.state(),
                      detail == null ? "" : " (%s)".formatted(detail),
                      time(command.stateAtMillis()))));
    }
  }

  private static String text(CommandReport command) {
    return "%s.%s %s"
        .formatted(
            command.job(),
            command.table(),
            new TreeMap<>(command.values())
                .entrySet().stream()
                    .map(value -> value.getKey() + "=" + value.getValue())
                    .collect(Collectors.joining(" ")));
  }

  /** {@code sedge center command send}. */
  @Command(
      name = "send",
      header = "Sends a row to a table of a site's job.",
      footer = {
        "With --wait the exit code is 2 if the command is not written.",
        "",
        "Example:",
        "  sedge center command send north press.valve position=40 --expires 30s --wait"
      })
  static final class Send extends OfSite {
    private static final long LOOK_MILLIS = 250;

    /** For the outcome of a command whose time is over. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(index = "1", paramLabel = "JOB.TABLE", description = "The table.")
    private String table = "";

    @Parameters(
        index = "2..*",
        arity = "1..*",
        paramLabel = "COLUMN=VALUE",
        description = "The row; columns that are not named are NULL.")
    private List<String> values = List.of();

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        defaultValue = "30s",
        converter = DurationConverter.class,
        description = "How long it may be written (default: ${DEFAULT-VALUE}; at most 7d).")
    private Duration expires = Duration.ofSeconds(30);

    @Option(
        names = "--wait",
        description = "Waits until it is written, confirmed, refused, or its time is over.")
    private boolean waits;

    Send(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers)
        throws CenterException, SiteException, InterruptedException {
      JobTable to = JobTable.parse(table);
      if (expires.toSeconds() < 1 || expires.toMillisPart() != 0) {
        throw new SiteException(FailureCode.USAGE, "--expires: write whole seconds, at least 1s");
      }
      CommandReport command =
          center.command(
              site(), new Requests.ForCommand(to.job(), to.table(), row(), expires.toSeconds()));
      // A site that is cut off says nothing of a command that it has.
      long begin = System.nanoTime();
      Duration most = expires.plus(PATIENCE);
      while (waits
          && !command.ended()
          && !command.state().equals("written")
          && System.nanoTime() - begin < most.toNanos()) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        command = center.command(site(), command.id());
      }
      show(answers, command);
      if (waits && !List.of("written", "confirmed").contains(command.state())) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "the command is not known to be written: it is " + command.state());
      }
    }

    private Map<String, String> row() throws SiteException {
      Map<String, String> row = new LinkedHashMap<>();
      for (String value : values) {
        int equals = value.indexOf('=');
        if (equals < 1
            || row.put(value.substring(0, equals), value.substring(equals + 1)) != null) {
          throw new SiteException(
              FailureCode.USAGE, "'%s' is not COLUMN=VALUE, once for each column".formatted(value));
        }
      }
      return row;
    }
  }

  /** {@code sedge center command list}. */
  @Command(
      name = "list",
      header = "Shows the latest commands to a site.",
      footer = {"Example:", "  sedge center command list north"})
  static final class ListCommand extends OfSite {
    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "20",
        description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit = 20;

    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<CommandReport> commands = center.commands(site(), limit);
      TextTable table = new TextTable("ID", "GIVEN", "BY", "COMMAND", "STATE", "DETAIL");
      commands.forEach(
          command ->
              table.add(
                  command.id(),
                  time(command.givenAtMillis()),
                  command.givenBy(),
                  text(command),
                  command.state(),
                  command.detail() == null ? "-" : command.detail()));
      showAll(answers, commands, table, "no command was given to this site");
    }
  }

  /** One that names a command. */
  abstract static class OfOne extends OfSite {
    @Parameters(
        index = "1",
        paramLabel = "ID",
        description = "The command, as `sedge center command list` names it.")
    private String id = "";

    OfOne(Surroundings surroundings) {
      super(surroundings);
    }

    String id() {
      return id;
    }
  }

  /** {@code sedge center command show}. */
  @Command(
      name = "show",
      header = "Shows a command, and what has become of it.",
      footer = {
        "Example:",
        "  sedge center command show north 5f1c6a9e-3f0b-4d5e-9a57-0c8a2d1b7e44"
      })
  static final class Show extends OfOne {
    Show(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      show(answers, center.command(site(), id()));
    }
  }

  /** {@code sedge center command cancel}. */
  @Command(
      name = "cancel",
      header = "Takes a command back that was not sent to the site.",
      footer = {
        "Example:",
        "  sedge center command cancel north 5f1c6a9e-3f0b-4d5e-9a57-0c8a2d1b7e44"
      })
  static final class Cancel extends OfOne {
    Cancel(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers)
        throws CenterException, SiteException, InterruptedException {
      CommandReport command = center.cancelCommand(site(), id());
      show(answers, command);
      if (!command.state().equals("cancelled")) {
        throw new SiteException(
            FailureCode.NOT_NOW, "it is too late to take it back: it is " + command.state());
      }
    }
  }
}
