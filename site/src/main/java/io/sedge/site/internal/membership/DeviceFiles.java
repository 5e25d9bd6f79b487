package io.sedge.site.internal.membership;

import io.sedge.identity.Addresses;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.FileOffer;
import io.sedge.identity.FilePart;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.JobFile;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.files.Holders;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks other devices for files, and gives them files, where they answer what they have said. Any
 * thread; waits.
 */
public final class DeviceFiles implements Holders {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** For how long a submission waits for devices to have its files. */
  private static final Duration GIVING = Duration.ofMinutes(1);

  private static final long LOOK_NANOS = 200_000_000;

  private final LedgerMembership membership;
  private final DeviceIdentity identity;

  /**
   * @param identity of this device
   */
  public DeviceFiles(LedgerMembership membership, DeviceIdentity identity) {
    this.membership = membership;
    this.identity = identity;
  }

  @Override
  public List<String> names() {
    return membership.devices().stream()
        .filter(device -> device.state() != DeviceState.EXPELLED && !device.stopped())
        .map(Device::name)
        .filter(name -> !name.equals(identity.name()))
        .toList();
  }

  @Override
  public FilePart read(String name, String sha256, long offset) throws SiteException {
    Optional<Device> device =
        membership.devices().stream().filter(known -> known.name().equals(name)).findFirst();
    if (device.isEmpty()) {
      throw new SiteException(FailureCode.UNKNOWN_NAME, "it is no device of the site any more");
    }
    return EnrolmentClient.file(address(device.get()), identity, sha256, offset, PATIENCE);
  }

  /** Where a device is asked what it has. */
  static String address(Device device) throws SiteException {
    try {
      return Addresses.enrolment(device.address());
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Has devices get files of a job before the job is there, so that each can run it at once, and
   * the files outlast this device. A device that does not get them in time gets them by itself.
   *
   * @param to whom
   * @return those that do not have them all, each with the reason
   */
  Map<String, String> give(List<JobFile> files, List<Device> to) throws SiteException {
    if (files.isEmpty() || to.isEmpty()) {
      return Map.of();
    }
    long endNanos = System.nanoTime() + GIVING.toNanos();
    Map<String, String> lacking = new ConcurrentSkipListMap<>();
    try (ExecutorService giving =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("sedge-give-", 0).factory())) {
      List<Callable<Boolean>> each = new ArrayList<>();
      to.forEach(device -> each.add(() -> give(files, device, endNanos, lacking)));
      giving.invokeAll(each);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, "the device was stopped meanwhile", e);
    }
    return lacking;
  }

  private boolean give(
      List<JobFile> files, Device device, long endNanos, Map<String, String> lacking) {
    try {
      for (JobFile file : files) {
        FileOffer offer = new FileOffer(file.path(), file.sha256(), file.bytes());
        while (!EnrolmentClient.offer(address(device), identity, offer, PATIENCE)) {
          if (System.nanoTime() - endNanos > 0) {
            lacking.put(
                device.name(),
                "file %s has not come there within %d s"
                    .formatted(file.path(), GIVING.toSeconds()));
            return false;
          }
          LockSupport.parkNanos(LOOK_NANOS);
        }
      }
      return true;
    } catch (SiteException e) {
      lacking.put(device.name(), String.valueOf(e.getMessage()));
      return false;
    }
  }
}
