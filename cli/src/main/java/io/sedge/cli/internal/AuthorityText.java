package io.sedge.cli.internal;

import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What people are told of the devices that have a site's certificate authority. */
final class AuthorityText {
  private AuthorityText() {}

  /** What is wrong with how many have it; empty if nothing is, or the site has one device. */
  static Optional<String> warning(SiteStatus status) {
    List<DeviceStatus> holders = status.authorities();
    if (holders.isEmpty() && !status.devices().isEmpty()) {
      return Optional.of(
          "no device has the site's certificate authority: nobody can join, and certificates run"
              + " out. Stop a device, put the backup of the directory `authority` into its data"
              + " directory, and start it");
    }
    long devices =
        status.devices().stream().filter(device -> device.state() != DeviceState.EXPELLED).count();
    List<String> up = holders.stream().filter(DeviceStatus::alive).map(DeviceStatus::name).toList();
    if (up.size() > 1 || devices < 2) {
      return Optional.empty();
    }
    if (up.isEmpty()) {
      return Optional.of(
          "no device with the site's certificate authority is up (%s): nobody can join, and certificates run out, until one is"
              .formatted(
                  holders.stream().map(DeviceStatus::name).collect(Collectors.joining(", "))));
    }
    return Optional.of(
        "only device %s %s the site's certificate authority%s: `sedge device authority --to NAME` on it gives it to one more"
            .formatted(
                up.getFirst(),
                holders.size() == 1 ? "has" : "with",
                holders.size() == 1 ? "" : " is up"));
  }
}
