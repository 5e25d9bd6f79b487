package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess.Use;
import io.sedge.site.api.AllowedDirectory;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script is written by somebody, and runs with the device's rights. */
class AllowedDirectoriesTest {
  @TempDir Path root;
  private Path started;
  private Path data;
  private AllowedDirectories directories;

  @BeforeEach
  void make() throws IOException {
    started = Files.createDirectories(root.resolve("started"));
    data = Files.createDirectories(started.resolve("data"));
    Files.writeString(data.resolve("device.properties"), "");
    directories = open();
  }

  private AllowedDirectories open() throws IOException {
    return AllowedDirectories.open(DeviceOptions.of(data, "a", "127.0.0.1", 7410, started));
  }

  private void assertAllowed(Path path, Use use) {
    assertThatCode(() -> directories.check("table t: 'path'", path, use))
        .doesNotThrowAnyException();
  }

  private void assertRefused(Path path, Use use, String reason) {
    assertThatThrownBy(() -> directories.check("table t: 'path'", path, use))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table t: 'path': ")
        .hasMessageContaining(reason);
  }

  @Test
  void atFirstJobsUseTheDirectoryInWhichTheDeviceWasStarted() {
    assertAllowed(started.resolve("in/today.csv"), Use.READ);
    assertAllowed(started.resolve("out"), Use.WRITE);
    assertRefused(Path.of("/etc/shadow"), Use.READ, "jobs may not read /etc/shadow on device a");
    assertRefused(root.resolve("elsewhere"), Use.WRITE, "jobs may not write");
    assertRefused(
        Path.of("/etc/shadow"), Use.READ, "type there: sedge device allow /etc --read-only");
    assertRefused(started.resolve("../elsewhere"), Use.READ, "jobs may not read");
  }

  @Test
  void whereADeviceIsStartedInTheRootJobsUseNothingAtFirst() throws IOException {
    AllowedDirectories none =
        AllowedDirectories.open(DeviceOptions.of(data, "a", "127.0.0.1", 7410, Path.of("/")));
    assertThat(none.list()).isEmpty();
  }

  @Test
  void noJobUsesTheDataDirectoryOfADevice() throws Exception {
    assertRefused(data.resolve("ledger/log"), Use.READ, "the data directory of a device");
    assertRefused(data, Use.WRITE, "the data directory of a device");
    Path other = Files.createDirectories(started.resolve("other"));
    assertAllowed(other.resolve("authority/key.pem"), Use.READ);
    Files.writeString(other.resolve("device.properties"), "");
    assertRefused(other.resolve("authority/key.pem"), Use.READ, "the data directory of a device");
    assertThatThrownBy(() -> directories.allow(data.toString(), true))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("which jobs never use");
  }

  /** What counts is where a file is, not how it is called. */
  @Test
  void linksThatLeadOutAreFollowedBeforeTheyAreJudged() throws Exception {
    Path secret = Files.writeString(root.resolve("secret"), "x");
    Files.createSymbolicLink(started.resolve("file"), secret);
    Files.createSymbolicLink(started.resolve("directory"), root);
    Files.createSymbolicLink(started.resolve("keys"), data);
    Files.createSymbolicLink(started.resolve("dangling"), root.resolve("absent"));
    assertRefused(started.resolve("file"), Use.READ, "jobs may not read " + secret.toRealPath());
    assertRefused(started.resolve("directory/new"), Use.WRITE, "jobs may not write");
    assertRefused(started.resolve("keys/key.pem"), Use.READ, "the data directory of a device");
    assertRefused(started.resolve("dangling"), Use.WRITE, "leads nowhere");
    assertRefused(started.resolve("absent/../../secret"), Use.READ, "leads nowhere");
    Files.createSymbolicLink(root.resolve("in"), started);
    assertAllowed(root.resolve("in/today.csv"), Use.READ);
  }

  @Test
  void whatAPersonAllowsAndDisallowsOutlivesTheProcess() throws Exception {
    Path more = Files.createDirectories(root.resolve("more"));
    directories.allow(more.toString(), false);
    assertAllowed(more.resolve("x"), Use.READ);
    assertRefused(more.resolve("x"), Use.WRITE, more + " (to read)");
    directories.disallow(started.toString());
    assertRefused(started.resolve("x"), Use.READ, "jobs may not read");
    directories = open();
    assertThat(directories.list()).containsExactly(new AllowedDirectory(more.toString(), false));
    directories.allow(more.toString(), true);
    assertAllowed(more.resolve("x"), Use.WRITE);
    assertThat(directories.list()).hasSize(1);
  }

  @Test
  void whatIsNoDirectoryOrIsNotAllowedIsSaid() {
    assertThatThrownBy(() -> directories.allow("relative", true))
        .hasMessage("'relative' is no absolute path");
    assertThatThrownBy(() -> directories.allow(root.resolve("absent").toString(), true))
        .hasMessageContaining("is no directory of device a");
    assertThatThrownBy(() -> directories.disallow("/etc"))
        .hasMessage("device a does not allow /etc; it allows: " + started);
  }

  @Test
  void aDamagedListKeepsTheDeviceFromStarting() throws Exception {
    Files.writeString(data.resolve(AllowedDirectories.FILE), "everything /\n");
    assertThatThrownBy(this::open).isInstanceOf(IOException.class).hasMessageContaining("damaged");
  }
}
