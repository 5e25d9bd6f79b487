package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of the devices that have the authority, of a site with one more that has not. */
class AuthorityTextTest {
  private static DeviceStatus device(String name, boolean alive, boolean authority) {
    return SiteStatuses.device(name, DeviceState.ACTIVE, alive, authority, 0);
  }

  /** Devices that have the authority, and one that has not. */
  private static SiteStatus site(DeviceStatus... holders) {
    List<DeviceStatus> devices = new ArrayList<>(Arrays.asList(holders));
    devices.add(device("x", true, false));
    return SiteStatuses.site(devices, List.of());
  }

  private static String warning(DeviceStatus... holders) {
    return AuthorityText.warning(site(holders)).orElse("");
  }

  @Test
  void thoseThatAreDownDoNotCount() {
    DeviceStatus a = device("a", true, true);
    assertThat(warning(a, device("b", true, true))).isEmpty();
    assertThat(warning(a)).startsWith("only device a has the site's certificate authority: ");
    assertThat(warning(a, device("b", false, true)))
        .startsWith("only device a with the site's certificate authority is up: ");
    assertThat(warning(device("a", false, true), device("b", false, true)))
        .startsWith("no device with the site's certificate authority is up (a, b): ");
    assertThat(warning()).startsWith("no device has the site's certificate authority: ");
  }
}
