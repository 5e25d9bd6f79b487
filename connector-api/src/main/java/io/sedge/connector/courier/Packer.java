package io.sedge.connector.courier;

import io.sedge.connector.NumberedBatch;
import java.util.Optional;

/**
 * Makes shipments of batches. Called by the task's thread.
 *
 * @param <S> what batches are packed into
 */
@FunctionalInterface
public interface Packer<S extends Shipment> {
  /**
   * Packs a batch, with those before it that were kept for it.
   *
   * @return empty if it is kept until its {@linkplain NumberedBatch#until group} ends
   */
  Optional<S> pack(NumberedBatch batch);

  /** As {@link io.sedge.connector.Sink#gathers}. */
  default boolean gathers() {
    return false;
  }
}
