package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.api.BackupReport;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge center backup}. */
@Command(
    name = "backup",
    header = "Copies a center's database to a file on its machine, while it is in use.",
    description = {
      "The file is in the directory backups of the center's data. It has the hashes of tokens, so",
      "it is for its owner alone. Back up the directory authority of the center's data too. A",
      "PostgreSQL server has pg_dump."
    },
    footer = {"Example:", "  sedge center backup 2026-11-25.db"})
final class CenterBackupCommand extends CenterCommand.Answering {
  @Parameters(
      paramLabel = "FILE",
      description = "A new name without a directory: letters, digits, '.', '_' and '-'.")
  private String file = "";

  CenterBackupCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers) throws CenterException, InterruptedException {
    BackupReport backup = center.backup(file);
    show(answers, backup, List.of(backup.file()));
  }
}
