package io.sedge.connector.kafka.internal;

import java.util.List;

/**
 * The rows of a batch on their way.
 *
 * @param last the sequence of the batch's last row
 */
record Shipment(long last, List<Parcel> parcels) {
  Shipment {
    parcels = List.copyOf(parcels);
  }

  long bytes() {
    return parcels.stream().mapToLong(Parcel::bytes).sum();
  }
}
