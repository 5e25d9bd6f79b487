package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.TableReport;
import io.sedge.cli.internal.output.Quantities;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center table} and what is below it. */
@Command(
    name = "table",
    header = "Shows a center's tables of results, and says how long they keep them.",
    footer = {
      "Examples:",
      "  sedge center table list",
      "  sedge center table keep machines 90d --by window_end"
    })
final class CenterTableCommands extends GroupCommand {
  private static final String FOR_EVER = "forever";

  private CenterTableCommands(Surroundings surroundings) {
    super(surroundings);
  }

  static CommandLine line(Surroundings surroundings) {
    return new CommandLine(new CenterTableCommands(surroundings))
        .addSubcommand(new ListCommand(surroundings))
        .addSubcommand(new Keep(surroundings));
  }

  private static String kept(TableReport table) {
    return table.keepSeconds() == null
        ? FOR_EVER
        : "%s by %s".formatted(time(Duration.ofSeconds(table.keepSeconds())), table.keepBy());
  }

  private static String time(Duration time) {
    boolean days = time.toSeconds() % Duration.ofDays(1).toSeconds() == 0;
    return days ? time.toDays() + "d" : Quantities.duration(time);
  }

  /** {@code sedge center table list}. */
  @Command(
      name = "list",
      header = "Shows the tables of results.",
      footer = {"Example:", "  sedge center table list --output json | jq .columns"})
  static final class ListCommand extends CenterCommand.Answering {
    ListCommand(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      List<TableReport> tables = center.tables();
      TextTable text = new TextTable("NAME", ">ROWS", ">BYTES", ">COLUMNS", "KEPT", "SITES");
      tables.forEach(
          table ->
              text.add(
                  table.name(),
                  "%,d".formatted(table.rows()),
                  Quantities.bytes(table.bytes()),
                  String.valueOf(table.columns().size()),
                  kept(table),
                  String.join(", ", table.sites())));
      showAll(answers, tables, text, "no site has sent rows yet");
    }
  }

  /** {@code sedge center table keep}. */
  @Command(
      name = "keep",
      header = "Says how long a table keeps its rows; older ones are deleted within minutes.",
      footer = {
        "Examples:",
        "  sedge center table keep machines 90d --by window_end",
        "  sedge center table keep machines forever"
      })
  static final class Keep extends CenterCommand.Answering {
    @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
    private String table = "";

    @Parameters(
        index = "1",
        paramLabel = "TIME",
        description = "For how long, as 90d or 12h; forever for no end.")
    private String keep = "";

    @Option(
        names = "--by",
        paramLabel = "COLUMN",
        description = "The column whose time says how old a row is (default: the one before).")
    private @Nullable String by;

    Keep(Surroundings surroundings) {
      super(surroundings);
    }

    @Override
    void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
      Optional<Duration> time =
          keep.equals(FOR_EVER)
              ? Optional.empty()
              : Optional.of(new DurationConverter().convert(keep));
      TableReport report = center.keep(table, time, Optional.ofNullable(by));
      show(answers, report, List.of("table %s keeps its rows %s".formatted(table, kept(report))));
    }
  }
}
