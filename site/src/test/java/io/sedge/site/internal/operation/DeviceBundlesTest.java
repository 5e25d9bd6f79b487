package io.sedge.site.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Bundles;
import io.sedge.task.FailureCode;
import java.io.ByteArrayInputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bundles that a device makes of itself, also while something is wrong with it. */
@Timeout(60)
class DeviceBundlesTest {
  @TempDir private Path data;
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());

  private DeviceBundles bundles() {
    return new DeviceBundles(data, InstantSource.fixed(Instant.EPOCH), (_, text) -> said.add(text));
  }

  /** A device that does the same whatever it is asked. */
  private static SiteControl device(Answering answering) {
    return (SiteControl)
        Proxy.newProxyInstance(
            SiteControl.class.getClassLoader(),
            new Class<?>[] {SiteControl.class},
            (_, _, _) -> answering.answer());
  }

  private interface Answering {
    Object answer() throws Exception;
  }

  private static Map<String, String> texts(DeviceBundles bundles) throws Exception {
    return Bundles.texts(new ByteArrayInputStream(bundles.make()));
  }

  /** What is wrong with it may be why somebody asks. */
  @Test
  void aDeviceThatStartsOrFailsGivesWhatItsDiskSays() throws Exception {
    DeviceBundles bundles = bundles();
    assertThat(texts(bundles).get("about.txt")).contains("did not answer: it is starting");
    bundles.begin(
        device(
            () -> {
              throw new IllegalStateException("the ledger is damaged");
            }));
    Map<String, String> texts = texts(bundles);
    assertThat(texts.get("about.txt")).contains("did not answer: the ledger is damaged");
    assertThat(texts).containsKeys("system.txt", "files.txt").doesNotContainKey("status.json");
    assertThat(said).allMatch(text -> text.startsWith("a bundle of this device is made"));
  }

  @Test
  void aDeviceThatHangsIsNotWaitedFor() {
    BundleTexts.Told told =
        BundleTexts.within(
            Duration.ofMillis(1),
            () -> {
              new CountDownLatch(1).await();
              throw new AssertionError();
            });
    assertThat(told.texts()).isEmpty();
    assertThat(told.outcome()).contains("it hangs");
  }

  @Test
  void oneIsMadeAtATime() throws Exception {
    DeviceBundles bundles = bundles();
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    bundles.begin(
        device(
            () -> {
              asked.countDown();
              goOn.await();
              throw new IllegalStateException("no");
            }));
    FutureTask<byte[]> first = new FutureTask<>(bundles::make);
    Thread.ofVirtual().start(first);
    asked.await();
    assertThatThrownBy(bundles::make)
        .isInstanceOfSatisfying(
            SiteException.class, e -> assertThat(e.code()).isEqualTo(FailureCode.NOT_NOW));
    goOn.countDown();
    assertThat(first.get()).isNotEmpty();
    assertThat(bundles.make()).isNotEmpty();
  }

  /** Half a line may have half a secret, which nobody would know as one. */
  @Test
  void ofALogThatIsTooLongWholeLinesOfItsEndAreTaken() throws Exception {
    Path log = Files.createDirectories(LogFile.directory(data)).resolve("device.0.log");
    Files.writeString(log, "first\n'password' = 'hunter2'\nlast\n");
    assertThat(DiskTexts.of(data, 1_000).get("log/device.0.log")).startsWith("first\n");
    for (int most = 6; most < 27; most++) {
      assertThat(DiskTexts.of(data, most).get("log/device.0.log"))
          .as("%d", most)
          .isEqualTo("last\n");
    }
  }
}
