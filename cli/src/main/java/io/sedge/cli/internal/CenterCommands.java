package io.sedge.cli.internal;

import picocli.CommandLine;

/** The commands below {@code sedge center} that ask one. */
final class CenterCommands {
  private CenterCommands() {}

  static void addTo(CommandLine centers, Surroundings surroundings) {
    centers
        .addSubcommand(new CenterStatusCommand(surroundings))
        .addSubcommand(new CenterQueryCommand(surroundings))
        .addSubcommand(new CenterTokenCommand(surroundings))
        .addSubcommand(CenterSiteCommands.line(surroundings))
        .addSubcommand(CenterAlarmCommands.line(surroundings))
        .addSubcommand(CenterCommandCommands.line(surroundings))
        .addSubcommand(CenterJobCommands.line(surroundings))
        .addSubcommand(CenterTableCommands.line(surroundings))
        .addSubcommand(CenterPersonCommands.line(surroundings))
        .addSubcommand(CenterAccessCommands.line(surroundings))
        .addSubcommand(new CenterAuditCommand(surroundings))
        .addSubcommand(new CenterBackupCommand(surroundings))
        .addSubcommand(new CenterRestoreCommand(surroundings));
  }
}
