package io.sedge.cli.internal;

import io.sedge.ledger.DeviceState;
import io.sedge.site.DeviceStatus;
import io.sedge.site.SiteStatus;
import java.util.List;
import java.util.Optional;

/** What people are told of the devices that have a site's certificate authority. */
final class AuthorityText {
  private AuthorityText() {}

  /** Those that have it. */
  static List<DeviceStatus> holders(SiteStatus status) {
    return status.devices().stream().filter(DeviceStatus::authority).toList();
  }

  /** What is wrong with how many have it; empty if nothing is, or the site has one device. */
  static Optional<String> warning(SiteStatus status) {
    List<DeviceStatus> holders = holders(status);
    if (holders.isEmpty() && !status.devices().isEmpty()) {
      return Optional.of(
          "no device has the site's certificate authority: nobody can join, and certificates run"
              + " out. Stop a device, put the backup of the directory `authority` into its data"
              + " directory, and start it");
    }
    long devices =
        status.devices().stream().filter(device -> device.state() != DeviceState.EXPELLED).count();
    if (holders.size() != 1 || devices < 2) {
      return Optional.empty();
    }
    return Optional.of(
        "only device %s has the site's certificate authority: `sedge device authority --to NAME` on it gives it to one more"
            .formatted(holders.getFirst().name()));
  }
}
