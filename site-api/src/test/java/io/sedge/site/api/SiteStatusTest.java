package io.sedge.site.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.alarm.AlarmCounts;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.ProcessUse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a site's status says of the devices that have the certificate authority. */
class SiteStatusTest {
  private static DeviceStatus device(String name, boolean alive, boolean authority) {
    return new DeviceStatus(
        name,
        "127.0.0.1:1",
        DeviceState.ACTIVE,
        alive,
        false,
        0,
        true,
        true,
        authority,
        0,
        0,
        0,
        0,
        Map.of(),
        ProcessUse.UNKNOWN,
        "1");
  }

  private static SiteStatus site(DeviceStatus... devices) {
    LedgerStatus ledger = new LedgerStatus(1, 1, 1, 0, 0, 0, 0, 0);
    return new SiteStatus(
        "s", "x", "x", 0, List.of(devices), List.of(), List.of(), ledger, AlarmCounts.NONE);
  }

  @Test
  void whoHasTheAuthorityCountsAlsoIfItIsDown() {
    DeviceStatus a = device("a", true, true);
    DeviceStatus b = device("b", false, true);
    assertThat(site(a, b, device("x", true, false)).authorities()).containsExactly(a, b);
  }

  @Test
  void aDeviceIsTheLastOneIfNoOtherIsUp() {
    DeviceStatus a = device("a", true, true);
    DeviceStatus x = device("x", true, false);
    assertThat(site(a, x).isLastAuthority("a")).isTrue();
    assertThat(site(a, device("b", false, true), x).isLastAuthority("a")).isTrue();
    assertThat(site(a, device("b", false, true), x).isLastAuthority("b")).isFalse();
    assertThat(site(a, device("b", true, true), x).isLastAuthority("a")).isFalse();
    assertThat(site(a, x).isLastAuthority("x")).isFalse();
  }
}
