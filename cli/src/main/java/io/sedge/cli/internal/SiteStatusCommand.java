package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import picocli.CommandLine.Command;

/** {@code sedge site status}, and {@code sedge device status}, which is the same. */
@Command(
    name = "status",
    header = "Shows the site: devices, ledger, jobs, tasks.",
    footer = {"Examples:", "  sedge site status", "  sedge site status --output json | jq ."})
final class SiteStatusCommand extends ControlCommand {
  SiteStatusCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    SiteStatus status = site.status();
    if (wantsJson()) {
      answers.json(status);
    } else {
      answers.text(String.join("\n", new SiteText(surroundings().coloursOut()).lines(status)));
    }
  }
}
