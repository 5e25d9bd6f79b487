package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteException;
import java.util.List;

/** The secrets that a device knows, for when it leaves its site. */
final class KnownSecrets {
  private final List<String> names;

  private KnownSecrets(List<String> names) {
    this.names = names;
  }

  /** Those that a device could read until now. */
  static KnownSecrets of(String device, DeviceConnection site) throws SiteException {
    return new KnownSecrets(
        site.secrets().stream()
            .filter(secret -> !secret.missing().contains(device))
            .map(SecretStatus::name)
            .toList());
  }

  /** Says what to do about them, if there are some. */
  void warn(Surroundings surroundings) {
    if (!names.isEmpty()) {
      surroundings
          .err()
          .println(
              "sedge: it could read the secrets %s until now: if it is not to be trusted, change them where they are used, and here with `sedge secret set`"
                  .formatted(String.join(", ", names)));
    }
  }
}
