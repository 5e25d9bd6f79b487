package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.CenterStatus;
import io.sedge.cli.internal.output.Quantities;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code sedge center status}. */
@Command(
    name = "status",
    header = "Shows a center: where it is asked, its database, how much has arrived.",
    footer = {
      "Examples:",
      "  sedge center status",
      "  sedge center status --at https://10.0.0.2:7441 --token-file token --ca certificate.pem"
    })
final class CenterStatusCommand extends CenterCommand.Answering {
  CenterStatusCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
    CenterStatus status = center.status();
    show(answers, status, lines(status));
  }

  private static List<String> lines(CenterStatus status) {
    CenterStatus.Database database = status.database();
    List<String> lines = new ArrayList<>();
    lines.add(
        "center %s, started at %s".formatted(status.version(), time(status.startedAtMillis())));
    lines.add("sites report to %s".formatted(status.siteAddress()));
    lines.add("people and programs ask %s".formatted(status.address()));
    lines.add(
        Printable.count(status.sites(), "site") + ", " + Printable.count(status.tables(), "table"));
    lines.add(
        "%s, %s, %s"
            .formatted(
                database.name(),
                Quantities.bytes(database.bytes()),
                database.available() ? "available" : "NOT AVAILABLE"));
    lines.add(
        "since the start %s in %s; came again: %s; refused: %s of sites"
            .formatted(
                Printable.count(database.rows(), "row"),
                Printable.count(database.commits(), "commit"),
                Printable.count(database.repeatedBlocks(), "block"),
                Printable.count(database.refusedAppends(), "request")));
    if (database.queuedAppends() > 0) {
      lines.add(
          "waiting: %s of sites, %s"
              .formatted(
                  Printable.count(database.queuedAppends(), "request"),
                  Quantities.bytes(database.queuedBytes())));
    }
    if (database.repairedValues() > 0 || database.rejectedRows() > 0) {
      lines.add(
          "stored as the nearest that the database can hold: %s; left out, since the key has a NULL: %s"
              .formatted(
                  Printable.count(database.repairedValues(), "value"),
                  Printable.count(database.rejectedRows(), "row")));
    }
    if (database.lastFailure() != null) {
      lines.add(
          "last failure at %s: %s"
              .formatted(time(database.lastFailureAtMillis()), database.lastFailure()));
    }
    return lines;
  }
}
