package io.sedge.cli.internal;

/** The commands below {@code sedge center} that ask one. */
final class CenterCommands {
  private CenterCommands() {}

  static void addTo(Subcommands centers, Surroundings surroundings) {
    centers
        .add("status", () -> new CenterStatusCommand(surroundings))
        .add("query", () -> new CenterQueryCommand(surroundings))
        .add("token", () -> new CenterTokenCommand(surroundings))
        .add("site", () -> CenterSiteCommands.line(surroundings))
        .add("alarm", () -> CenterAlarmCommands.line(surroundings))
        .add("command", () -> CenterCommandCommands.line(surroundings))
        .add("job", () -> CenterJobCommands.line(surroundings))
        .add("table", () -> CenterTableCommands.line(surroundings))
        .add("person", () -> CenterPersonCommands.line(surroundings))
        .add("access", () -> CenterAccessCommands.line(surroundings))
        .add("audit", () -> new CenterAuditCommand(surroundings))
        .add("backup", () -> new CenterBackupCommand(surroundings))
        .add("restore", () -> new CenterRestoreCommand(surroundings));
  }
}
