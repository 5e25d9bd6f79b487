package io.sedge.connector.http.internal;

import io.sedge.connector.courier.Shipment;
import java.util.List;

/**
 * The rows of a group of batches on their way. The same group always gives the same requests.
 *
 * @param last the sequence of the group's last row
 */
record Requests(long last, List<Request> requests) implements Shipment {
  Requests {
    requests = List.copyOf(requests);
  }

  @Override
  public int size() {
    return requests.stream().mapToInt(request -> request.rows().size()).sum();
  }

  @Override
  public long payloadBytes() {
    return requests.stream().mapToLong(Request::payloadBytes).sum();
  }

  @Override
  public long bytes() {
    return requests.stream().mapToLong(Request::bytes).sum();
  }
}
