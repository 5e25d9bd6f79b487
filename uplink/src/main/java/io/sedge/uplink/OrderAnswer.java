package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What follows the last order that a site has, and what else is asked of it.
 *
 * @param heldMillis how long the answer was kept back: what the request took beyond that may have
 *     been its way to the site, and counts as lived by the orders
 * @param orders in the order of their numbers
 * @param questions only for a site that wants them: one of a version before does not know that
 *     there may be some
 */
public record OrderAnswer(long heldMillis, List<Order> orders, List<Question> questions) {
  /** The most orders that there may be. */
  public static final int MAX_ORDERS = 64;

  /** The most that their bodies have together, unless the first alone has more. */
  public static final int MAX_BODIES_BYTES = 512 << 10;

  /** The most questions that there may be. */
  public static final int MAX_QUESTIONS = 4;

  /** The most that an answer has. */
  static final int MAX_BYTES = 2 << 20;

  private static final int VERSION = 1;

  public OrderAnswer {
    orders = List.copyOf(orders);
    questions = List.copyOf(questions);
  }

  /** One without questions. */
  public OrderAnswer(long heldMillis, List<Order> orders) {
    this(heldMillis, orders, List.of());
  }

  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(VERSION);
    output.writeLong(heldMillis);
    output.writeInt(orders.size());
    for (Order order : orders) {
      order.write(output);
    }
    if (!questions.isEmpty()) {
      output.writeInt(questions.size());
      for (Question question : questions) {
        question.write(output);
      }
    }
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static OrderAnswer read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, OrderAnswer::read);
  }

  private static OrderAnswer read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    long held = input.readLong();
    int size = Wire.bounded(input.readInt(), MAX_ORDERS, "orders");
    List<Order> orders = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      orders.add(Order.read(input));
    }
    List<Question> questions = new ArrayList<>();
    if (input.available() > 0) {
      int asked = Wire.bounded(input.readInt(), MAX_QUESTIONS, "questions");
      for (int i = 0; i < asked; i++) {
        questions.add(Question.read(input));
      }
    }
    return new OrderAnswer(held, orders, questions);
  }
}
