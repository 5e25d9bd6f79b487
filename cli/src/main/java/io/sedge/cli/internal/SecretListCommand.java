package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code sedge secret list}. */
@Command(
    name = "list",
    header = "Shows the site's secrets, never their values.",
    footer = {"Example:", "  sedge secret list --output json | jq ."})
final class SecretListCommand extends ControlCommand {
  SecretListCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    List<SecretStatus> secrets = site.secrets();
    if (wantsJson()) {
      secrets.forEach(answers::json);
    } else if (secrets.isEmpty()) {
      surroundings()
          .err()
          .println("sedge: the site has no secrets; `sedge secret set NAME` adds one");
    } else {
      TextTable table = new TextTable("NAME", "SET", "JOBS", "NOT YET ON");
      for (SecretStatus secret : secrets) {
        table.add(
            secret.name(),
            Instant.ofEpochMilli(secret.setAtMillis()).truncatedTo(ChronoUnit.SECONDS).toString(),
            names(secret.jobs()),
            names(secret.missing()));
      }
      answers.text(String.join("\n", table.lines()));
    }
  }

  private static String names(List<String> names) {
    return names.isEmpty() ? "-" : String.join(", ", names);
  }
}
