package io.sedge.site.internal.operation;

import io.sedge.identity.Enrolment;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes bundles of the device that this process is, in memory, one at a time. Any thread. */
public final class DeviceBundles implements Enrolment.Bundles {
  private final Path data;
  private final InstantSource clock;
  private final AtomicBoolean making = new AtomicBoolean();
  private volatile @Nullable SiteControl control;

  /**
   * @param data the device's directory
   */
  public DeviceBundles(Path data, InstantSource clock) {
    this.data = data;
    this.clock = clock;
  }

  /** From now on the device can be asked. */
  public void begin(SiteControl device) {
    control = device;
  }

  @Override
  public byte[] make() throws SiteException {
    SiteControl device = control;
    if (device == null) {
      throw new SiteException(FailureCode.NOT_NOW, "the device is starting");
    }
    if (!making.compareAndSet(false, true)) {
      throw new SiteException(FailureCode.NOT_NOW, "the device makes another bundle just now");
    }
    try {
      return make(device);
    } finally {
      making.set(false);
    }
  }

  private byte[] make(SiteControl device) throws SiteException {
    String version =
        Optional.ofNullable(getClass().getPackage().getImplementationVersion()).orElse("Sedge");
    BundleTexts texts =
        BundleTexts.of(device)
            .with("about.txt", BundleTexts.about(clock.instant(), version, "asked from afar"))
            .with(DiskTexts.of(data, BundleFile.Bounds.MEMORY.entry()));
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try {
      var _ = BundleFile.write(zip, texts, BundleFile.Bounds.MEMORY);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    if (zip.size() > Enrolment.MAX_BUNDLE_BYTES) {
      throw new SiteException(
          FailureCode.LIMIT_REACHED,
          "the bundle has %,d bytes, and %,d can be sent: make it on the device with `sedge device bundle`"
              .formatted(zip.size(), Enrolment.MAX_BUNDLE_BYTES));
    }
    return zip.toByteArray();
  }
}
