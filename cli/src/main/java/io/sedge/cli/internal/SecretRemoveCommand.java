package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sedge secret remove}. */
@Command(
    name = "remove",
    header = "Forgets a secret that no job names any more.",
    footer = {"Example:", "  sedge secret remove mqtt"})
final class SecretRemoveCommand extends ControlCommand {
  @Parameters(paramLabel = "NAME", description = "The secret, as `sedge secret list` names it.")
  private String name = "";

  SecretRemoveCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    site.removeSecret(name);
    done(answers, "secret %s is removed".formatted(name), Map.of("secret", name, "done", "remove"));
  }
}
