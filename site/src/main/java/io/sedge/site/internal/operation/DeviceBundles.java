package io.sedge.site.internal.operation;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.Enrolment;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes bundles of the device that this process is, in memory, one at a time. Any thread. */
public final class DeviceBundles implements Enrolment.Bundles {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Path data;
  private final InstantSource clock;
  private final JobListener listener;
  private final AtomicBoolean making = new AtomicBoolean();

  /** One that hangs is asked by one thread. */
  private final AtomicBoolean asking = new AtomicBoolean();

  private volatile @Nullable SiteControl control;

  /**
   * @param data the device's directory
   */
  public DeviceBundles(Path data, InstantSource clock, JobListener listener) {
    this.data = data;
    this.clock = clock;
    this.listener = listener;
  }

  /** From now on the device can be asked. */
  public void begin(SiteControl device) {
    control = device;
  }

  @Override
  public byte[] make() throws SiteException {
    if (!making.compareAndSet(false, true)) {
      throw new SiteException(FailureCode.NOT_NOW, "the device makes another bundle just now");
    }
    try {
      return zip();
    } catch (IOException | RuntimeException e) {
      throw new SiteException(FailureCode.INTERNAL_ERROR, "making a bundle: " + e, e);
    } finally {
      making.set(false);
    }
  }

  private byte[] zip() throws SiteException, IOException {
    listener.report(Severity.INFO, "a bundle of this device is made, for who asks from afar");
    BundleTexts texts =
        BundleTexts.within(PATIENCE, this::ask)
            .about(clock.instant(), BuildVersion.ofThis())
            .with(DiskTexts.of(data, BundleFile.Bounds.MEMORY.entry()));
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    var _ = BundleFile.write(zip, texts, BundleFile.Bounds.MEMORY);
    if (zip.size() > Enrolment.MAX_BUNDLE_BYTES) {
      throw new SiteException(
          FailureCode.LIMIT_REACHED,
          "the bundle has %,d bytes, and %,d can be sent: make it on the device with `sedge device bundle`"
              .formatted(zip.size(), Enrolment.MAX_BUNDLE_BYTES));
    }
    return zip.toByteArray();
  }

  private BundleTexts ask() throws SiteException {
    SiteControl device = control;
    if (device == null) {
      throw new SiteException(FailureCode.NOT_NOW, "it is starting");
    }
    if (!asking.compareAndSet(false, true)) {
      throw new SiteException(FailureCode.NOT_NOW, "it hangs in what it was asked before");
    }
    try {
      return BundleTexts.of(device);
    } finally {
      asking.set(false);
    }
  }
}
