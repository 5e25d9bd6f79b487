package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A site that was begun at one address, such as loopback, goes on at another one. */
@Timeout(600)
class ReaddressingTest {
  private static final String OTHER_HOST = "127.0.0.2";
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake');
      CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO kept SELECT n FROM numbers;
      """;

  @TempDir Path root;
  private Devices devices;

  @BeforeEach
  void site() {
    FakeConnector tables = new FakeConnector();
    tables.available = 3;
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private DeviceOptions elsewhere(String name) {
    return DeviceOptions.of(root.resolve(name), name, OTHER_HOST, Devices.freePorts(), root);
  }

  private void readdress(DeviceOptions options) throws SiteException {
    Device.readdress(options, InstantSource.system(), devices.listener("a"));
  }

  @Test
  void itsLedgerGoesOnThereAndOthersJoinThere() throws Exception {
    Device a = devices.start("a");
    a.control().submit("plant", SCRIPT);
    String site = a.control().status().site();
    devices.close(a);
    DeviceOptions moved = elsewhere("a");
    readdress(moved);
    readdress(moved); // As after a crash.
    Device again = devices.start("a", _ -> moved);
    assertThat(again.control().status().site()).isEqualTo(site);
    devices.until(
        "the ledger knows the address",
        () -> again.control().status().devices().getFirst().address().equals(moved.address()));
    Device b = devices.join("b", again);
    Device c = devices.join("c", again);
    devices.until("all vote", () -> again.control().status().ledger().voters() == 3);
    assertThat(c.control().status().devices()).allMatch(DeviceStatus::voter);
    devices.close(again);
    devices.untilLed(b, c);
    Device back = devices.start("a");
    devices.until("it follows again", () -> !back.control().status().leader().isEmpty());
    assertThat(back.control().jobs()).hasSize(1);
  }

  @Test
  void aDeviceAmongOthersIsNotGivenOneAndGoesOnWhereItWas() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.until("both vote", () -> a.control().status().ledger().voters() == 2);
    DeviceOptions moved = elsewhere("a");
    assertThat(Devices.failure(() -> readdress(moved)))
        .as("while it runs")
        .isEqualTo(FailureCode.DIRECTORY_NOT_USABLE);
    devices.close(a);
    assertThatThrownBy(() -> readdress(moved))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("its site has other devices")
        .hasMessageContaining("`sedge device remove a`");
    devices.close(b);
    assertThat(Devices.failure(() -> readdress(elsewhere("b")))).isEqualTo(FailureCode.NOT_NOW);
    devices.start("b");
    devices.untilLed(devices.start("a"));
  }

  @Test
  void aDirectoryWithoutADeviceIsRefusedAndNotMade() {
    assertThat(Devices.failure(() -> readdress(elsewhere("none"))))
        .isEqualTo(FailureCode.DIRECTORY_NOT_USABLE);
    assertThat(root.resolve("none")).doesNotExist();
  }
}
