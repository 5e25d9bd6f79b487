package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.AuditEntry;
import io.sedge.task.Printable;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge center audit}. */
@Command(
    name = "audit",
    header = "Shows who has changed what, the latest first.",
    footer = {
      "Examples:",
      "  sedge center audit",
      "  sedge center audit --last 1000 --output json"
    })
final class CenterAuditCommand extends CenterCommand.Answering {
  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many (default: ${DEFAULT-VALUE}; at most 100000).")
  private int last;

  CenterAuditCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
    List<AuditEntry> entries = center.audit(last);
    TextTable table = new TextTable("AT", "WHO", "WHAT", "SUBJECT", "DETAIL");
    entries.forEach(
        entry ->
            table.add(
                time(entry.atMillis()),
                Printable.text(entry.who()),
                Printable.text(entry.what()),
                Printable.text(entry.subject()),
                Printable.text(entry.detail())));
    showAll(answers, entries, table, "nothing has been done yet");
  }
}
