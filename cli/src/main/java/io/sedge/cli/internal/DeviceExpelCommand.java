package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge device expel}. */
@Command(
    name = "expel",
    header = "Shuts a device out at once and for good: lost, stolen or not to be trusted.",
    footer = {"Example:", "  sedge device expel gateway-2"})
final class DeviceExpelCommand extends DeviceActionCommand {
  @Mixin private final AuthorityLoss loss = new AuthorityLoss();

  DeviceExpelCommand(Surroundings surroundings) {
    super(surroundings, "expel");
  }

  @Override
  void act(DeviceConnection site, String name, Answers answers) throws SiteException {
    boolean hadAuthority =
        site.status().authorities().stream().anyMatch(held -> held.name().equals(name));
    KnownSecrets known = KnownSecrets.of(name, site);
    site.expel(name, loss.isAllowed());
    done(answers, "device %s is shut out: the others refuse its certificate and its key");
    if (hadAuthority) {
      surroundings()
          .err()
          .println(
              "sedge: its disk has the key of the site's certificate authority: whoever reads that"
                  + " can make certificates of this site, until the site is made anew");
    }
    known.warn(surroundings());
    loss.warn(site, surroundings());
  }
}
