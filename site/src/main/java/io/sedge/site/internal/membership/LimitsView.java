package io.sedge.site.internal.membership;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Limits;
import io.sedge.ledger.SiteState;
import io.sedge.site.api.SiteLimits;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** The limits of a state, and what it uses of them. */
final class LimitsView {
  private LimitsView() {}

  static SiteLimits of(SiteState state) {
    Limits limits = state.limits();
    Optional<Device> least =
        state.devices().stream()
            .filter(device -> device.state() != DeviceState.EXPELLED)
            .filter(device -> device.measures().memoryBytes() < Long.MAX_VALUE)
            .min(Comparator.comparingLong(device -> device.measures().memoryBytes()));
    return new SiteLimits(
        Arrays.stream(Limit.values())
            .map(limit -> new SiteLimits.Bound(limit, limits.value(limit), used(limit, state)))
            .toList(),
        limits.stateBytes() + limits.outboxBytes() + limits.exchangeBytes(),
        least.map(Device::name).orElse(""),
        least.map(device -> device.measures().memoryBytes()).orElse(Long.MAX_VALUE));
  }

  private static long used(Limit limit, SiteState state) {
    return switch (limit) {
      case DEVICES -> state.devices().size();
      case JOBS -> state.jobs().size();
      case TASKS -> state.tasks().size();
      case SCRIPT_BYTES ->
          state.jobs().stream()
              .mapToLong(job -> job.script().getBytes(StandardCharsets.UTF_8).length)
              .max()
              .orElse(0);
      case STATE_BYTES -> state.stateBytes();
      case OUTBOX_BYTES -> state.rowBytes(Channel.OUTBOX);
      case EXCHANGE_BYTES -> state.rowBytes(Channel.EXCHANGE);
      case COMMIT_BYTES, SILENCE_MILLIS -> SiteLimits.UNKNOWN;
    };
  }
}
