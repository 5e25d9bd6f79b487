package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Measures;
import io.sedge.placement.Health;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LivenessTest {
  private static final long MILLI = 1_000_000;

  private final Liveness liveness = new Liveness("self", 1_000 * MILLI, 250 * MILLI);
  private final Map<String, Long> heard = new LinkedHashMap<>(Map.of("self", 0L, "other", 0L));
  private long now = -5_000 * MILLI;

  private void pass(int times, String... reporting) {
    for (int i = 0; i < times; i++) {
      now += 250 * MILLI;
      List.of(reporting).forEach(name -> heard.merge(name, 1L, Long::sum));
      List<Device> devices = new ArrayList<>();
      heard.forEach((name, count) -> devices.add(device(name, DeviceState.ACTIVE, count)));
      liveness.update(devices, now);
    }
  }

  private static Device device(String name, DeviceState state, long heard) {
    return new Device(name, "", state, Map.of(), Measures.NONE, heard, 0);
  }

  private Health other(DeviceState state) {
    return liveness.health(device("other", state, 0));
  }

  @Test
  void aDeviceThatIsSilentIsSuspectThenGoneAndComesBack() {
    pass(4, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(2, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.SUSPECT);
    assertThat(other(DeviceState.DRAINING)).isEqualTo(Health.DRAINING);
    pass(2, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    assertThat(other(DeviceState.DRAINING)).isEqualTo(Health.GONE);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(other(DeviceState.EXPELLED)).isEqualTo(Health.GONE);
  }

  @Test
  void aLedgerThatStandsStillMakesNobodyGone() {
    pass(4, "self", "other");
    pass(40);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE))
        .as("its report comes a moment later")
        .isNotEqualTo(Health.GONE);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
  }
}
