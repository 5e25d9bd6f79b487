package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Option;

/** Whether a device may go where no other one with the certificate authority is up. */
final class AuthorityLoss {
  @Option(
      names = "--lose-authority",
      description = {
        "Also if no other device with the certificate authority is up: then",
        "nobody can join, and certificates run out, until one is up, or its",
        "backup is put on a device."
      })
  private boolean allowed;

  boolean isAllowed() {
    return allowed;
  }

  /** Says what has become of it, where it was risked. */
  void warn(DeviceConnection site, Surroundings surroundings) throws SiteException {
    if (allowed) {
      AuthorityText.warning(site.status())
          .ifPresent(text -> surroundings.err().println("sedge: " + text));
    }
  }
}
