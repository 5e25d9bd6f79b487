package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge device authority}. */
@Command(
    name = "authority",
    header = "Shows which devices can let others in, and makes one more of them.",
    description = {
      "The site's certificate authority makes tokens, lets devices in and renews certificates."
          + " With",
      "--to it is given to one more device, through the site's mutual TLS; that must be asked of a",
      "device that has it."
    },
    footer = {
      "Examples:",
      "  sedge device authority",
      "  sedge device authority --to gateway-2 --data a"
    })
final class DeviceAuthorityCommand extends ControlCommand {
  @Option(
      names = "--to",
      paramLabel = "NAME",
      description = "Give it to this device, as `sedge site status` names it.")
  private @Nullable String to;

  DeviceAuthorityCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(DeviceConnection site, Answers answers) throws SiteException {
    if (to == null) {
      show(site.status(), answers);
      return;
    }
    progress("waiting for device " + to + " to fetch it");
    site.giveAuthority(to);
    done(
        answers,
        "device %s has the certificate authority: it can make tokens, let devices in and renew certificates"
            .formatted(to),
        Map.of("device", to, "done", "authority"));
  }

  private void show(SiteStatus status, Answers answers) {
    List<DeviceStatus> holders = status.authorities();
    if (wantsJson()) {
      answers.json(Map.of("devices", holders.stream().map(DeviceStatus::name).toList()));
      return;
    }
    if (!holders.isEmpty()) {
      TextTable table = new TextTable("device", "state", "address");
      holders.forEach(
          device -> table.add(device.name(), SiteText.presence(device), device.address()));
      answers.text(String.join("\n", table.lines()));
    }
    AuthorityText.warning(status).ifPresent(text -> surroundings().err().println("sedge: " + text));
  }
}
