package io.sedge.cli.internal;

import io.sedge.cli.internal.CenterAccessCommands.Role;
import io.sedge.cli.internal.CenterAccessCommands.SitesOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Whose role and sites a center changes, a token's or a person's, and to what. */
final class RoleParameters {
  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "Whose, as `${PARENT-COMMAND-FULL-NAME} list` says.")
  private String name = "";

  @Parameters(
      index = "1",
      paramLabel = "ROLE",
      description = "What one may: ${COMPLETION-CANDIDATES}.")
  private Role role = Role.viewer;

  @Mixin private final SitesOption sites = new SitesOption();

  String name() {
    return name;
  }

  String role() {
    return role.name();
  }

  List<String> sites() {
    return sites.names();
  }

  /**
   * Says that it was done.
   *
   * @param now the sites from now on; null for all
   */
  void done(CenterCommand.Answering command, Answers answers, @Nullable List<String> now) {
    command.done(
        answers,
        "%s has the role %s at %s"
            .formatted(name, role, now == null ? "all sites" : CenterAccessCommands.sites(now)),
        Map.of("name", name, "done", "role", "role", role()));
  }
}
