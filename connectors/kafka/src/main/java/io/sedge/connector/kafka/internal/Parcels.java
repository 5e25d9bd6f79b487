package io.sedge.connector.kafka.internal;

import io.sedge.connector.courier.Shipment;
import java.util.List;

/**
 * The rows of a batch on their way.
 *
 * @param last the sequence of the batch's last row
 */
record Parcels(long last, List<Parcel> parcels) implements Shipment {
  Parcels {
    parcels = List.copyOf(parcels);
  }

  @Override
  public int size() {
    return parcels.size();
  }

  @Override
  public long payloadBytes() {
    return parcels.stream().mapToLong(Parcel::payloadBytes).sum();
  }

  @Override
  public long bytes() {
    return parcels.stream().mapToLong(Parcel::bytes).sum();
  }
}
