package io.sedge.site.internal.membership;

import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.ledger.Device;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.training.DeviceTraining;
import io.sedge.site.internal.training.TrainingPeers;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.Optional;

/** Asks devices for sums over their rows, where they answer what they have said. Any thread. */
final class TrainingCalls implements TrainingPeers {
  /** Longer than a device holds a question. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final DeviceTraining own;

  /**
   * @param own this device's part
   */
  TrainingCalls(LedgerMembership membership, DeviceIdentity identity, DeviceTraining own) {
    this.membership = membership;
    this.identity = identity;
    this.own = own;
  }

  @Override
  public TrainingReply ask(String name, TrainingStep step) throws SiteException {
    if (name.equals(identity.name())) {
      return own.answer(step);
    }
    Optional<Device> device =
        membership.devices().stream().filter(known -> known.name().equals(name)).findFirst();
    if (device.isEmpty()) {
      throw new SiteException(FailureCode.UNKNOWN_NAME, "it is no device of the site any more");
    }
    return EnrolmentClient.train(DeviceFiles.address(device.get()), identity, step, PATIENCE);
  }
}
