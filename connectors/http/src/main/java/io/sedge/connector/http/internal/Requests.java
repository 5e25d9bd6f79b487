package io.sedge.connector.http.internal;

import io.sedge.connector.courier.Shipment;
import java.util.List;

/**
 * The rows of a batch on their way. The same batch always gives the same requests.
 *
 * @param last the sequence of the batch's last row
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
