package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.SiteState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Raises the format of the site, once each device has told for a while that it reads the one of
 * this version; until then the version before can be installed again. Whoever leads does it, and
 * begins to wait when it begins to lead. One thread.
 */
final class FormatRise {
  static final Duration PATIENCE = Duration.ofHours(1);

  private final DeviceLog log;
  private long sinceNanos;
  private boolean waits;

  /** Devices that are older, as was said last. */
  private List<String> older = List.of();

  FormatRise(DeviceLog log) {
    this.log = log;
  }

  /** Begins to lead. */
  void reset() {
    waits = false;
    older = List.of();
  }

  /** The command that is due. */
  Optional<Command> due(SiteState state, long nowNanos) {
    if (state.format() >= Format.NEWEST) {
      return Optional.empty();
    }
    List<String> lacking =
        state.devices().stream()
            .filter(device -> device.state() != DeviceState.EXPELLED)
            .filter(device -> Format.of(device.labels()) < Format.NEWEST)
            .map(Device::name)
            .toList();
    if (!lacking.isEmpty()) {
      waits = false;
      if (!lacking.equals(older)) {
        older = lacking;
        log.add(
            Severity.INFO,
            "",
            "the ledger stays in format %d until these devices have this version: %s"
                .formatted(state.format(), String.join(", ", lacking)));
      }
      return Optional.empty();
    }
    if (!waits) {
      waits = true;
      older = List.of();
      sinceNanos = nowNanos;
      log.add(
          Severity.INFO,
          "",
          "all devices read format %d of the ledger: it has that in %d min, and the version before cannot be installed again then"
              .formatted(Format.NEWEST, PATIENCE.toMinutes()));
    }
    return nowNanos - sinceNanos < PATIENCE.toNanos()
        ? Optional.empty()
        : Optional.of(new Command.RaiseFormat(Format.NEWEST));
  }
}
