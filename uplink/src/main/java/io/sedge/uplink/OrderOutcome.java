package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.UUID;

/**
 * What has become of an order at a site.
 *
 * @param detail why, for people; may be empty
 * @param atMillis since when, by the site's clock, for people
 */
public record OrderOutcome(UUID id, OrderState state, String detail, long atMillis) {
  /** The most characters that a detail may have. */
  public static final int MAX_DETAIL = 1_000;

  public OrderOutcome {
    if (!state.isOutcome() || detail.length() > MAX_DETAIL) {
      throw new IllegalArgumentException(
          "no outcome: %s with %d characters".formatted(state, detail.length()));
    }
  }

  void write(DataOutputStream output) throws IOException {
    Wire.writeId(output, id);
    output.writeByte(state.code());
    output.writeUTF(detail);
    output.writeLong(atMillis);
  }

  static OrderOutcome read(DataInputStream input) throws IOException {
    return new OrderOutcome(
        Wire.readId(input),
        OrderState.ofCode(input.readUnsignedByte()),
        input.readUTF(),
        input.readLong());
  }
}
