package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A site asks for orders, and says what became of those before and how it is.
 *
 * <pre>
 *   version 1 | wants 1 | index 8 | after 8 | last id 16 | wait 4 | outcomes | 0 or 1, condition
 * </pre>
 *
 * @param wants what is asked for; if nothing is, what it says of the ledger is not looked at
 * @param index of the site's ledger: an entry that a majority has carried out. It never goes back
 *     unless the site was put back to an older state
 * @param after the number of the last order that the site's ledger has; 0 for none
 * @param lastId of that order; all zeros for none
 * @param waitMillis for how long the center may keep the answer back while there is no order
 * @param condition how the site is; what a site of a later version says of itself is left out
 */
public record OrderPoll(
    Wants wants,
    long index,
    long after,
    UUID lastId,
    int waitMillis,
    List<OrderOutcome> outcomes,
    Optional<SiteCondition> condition) {
  /** The longest that an answer is kept back. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** The most outcomes that there may be. */
  public static final int MAX_OUTCOMES = 64;

  /** The id where there is no order. */
  public static final UUID NO_ID = new UUID(0, 0);

  private static final int VERSION = 1;

  /** What a site asks for; versions before know the first two, and read the third as the second. */
  public enum Wants {
    /** It only tells. */
    NOTHING(0),
    ORDERS(1),
    ORDERS_AND_QUESTIONS(2);

    private final int code;

    Wants(int code) {
      this.code = code;
    }

    /** What a code means; a later version may want more. */
    private static Wants ofCode(int code) {
      return switch (code) {
        case 0 -> NOTHING;
        case 1 -> ORDERS;
        default -> ORDERS_AND_QUESTIONS;
      };
    }
  }

  public OrderPoll {
    outcomes = List.copyOf(outcomes);
    if (waitMillis < 0 || waitMillis > MAX_WAIT.toMillis()) {
      throw new IllegalArgumentException(
          "an answer cannot be kept back for %d ms".formatted(waitMillis));
    }
  }

  /** One that only tells. */
  public static OrderPoll telling(List<OrderOutcome> outcomes) {
    return new OrderPoll(Wants.NOTHING, 0, 0, NO_ID, 0, outcomes, Optional.empty());
  }

  /** Whether it asks for something. */
  public boolean asks() {
    return wants != Wants.NOTHING;
  }

  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(VERSION);
    output.writeByte(wants.code);
    output.writeLong(index);
    output.writeLong(after);
    Wire.writeId(output, lastId);
    output.writeInt(waitMillis);
    output.writeInt(outcomes.size());
    for (OrderOutcome outcome : outcomes) {
      outcome.write(output);
    }
    output.writeBoolean(condition.isPresent());
    if (condition.isPresent()) {
      Wire.writeBytes(output, condition.get().bytes());
    }
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static OrderPoll read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, OrderPoll::read);
  }

  private static OrderPoll read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    Wants wants = Wants.ofCode(input.readUnsignedByte());
    long index = input.readLong();
    long after = input.readLong();
    UUID lastId = Wire.readId(input);
    int wait = input.readInt();
    int size = Wire.bounded(input.readInt(), MAX_OUTCOMES, "outcomes");
    List<OrderOutcome> outcomes = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      outcomes.add(OrderOutcome.read(input));
    }
    Optional<SiteCondition> condition =
        input.readBoolean() ? SiteCondition.readFrom(Wire.readBytes(input)) : Optional.empty();
    return new OrderPoll(wants, index, after, lastId, wait, outcomes, condition);
  }
}
