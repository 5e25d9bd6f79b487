package io.sedge.ledger.internal.state;

import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Command;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Bytes of commands about orders, as {@link CommandCodec} has all, and of orders in snapshots: what
 * was taken, the latest last, then what is allowed, the jobs that a center has given, and when rows
 * were taken of tables that have a rate.
 */
final class OrderCodec {
  // Versions before stop at these types: no device writes one before a center has given an order,
  // or a person has allowed one.
  private static final int TAKE_ORDER = 40;
  private static final int SETTLE_ORDER = 41;
  private static final int ALLOW_TABLE = 42;
  private static final int DISALLOW_TABLE = 43;
  private static final int ALLOW_JOBS = 48;
  private static final int MARK_JOB = 49;
  private static final int ALLOW_ALARMS = 65;
  private static final int ALLOW_DIAGNOSIS = 66;

  private OrderCodec() {}

  static void write(Command.OfOrders command, Encoder encoder) throws IOException {
    switch (command) {
      case Command.TakeOrder take -> {
        encoder.writeByte(TAKE_ORDER);
        encoder.writeLong(take.number());
        writeId(take.id(), encoder);
        encoder.writeByte(take.state().code());
        encoder.writeText(take.detail());
        encoder.writeLong(take.atMillis());
        encoder.writeBoolean(take.row().isPresent());
        if (take.row().isPresent()) {
          Command.NewRow row = take.row().get();
          encoder.writeText(row.job());
          encoder.writeLong(row.version());
          encoder.writeText(row.table());
          encoder.writeLong(row.untilMillis());
          encoder.writeBytes(row.bytes());
        }
      }
      case Command.SettleOrder settle -> {
        encoder.writeByte(SETTLE_ORDER);
        writeId(settle.id(), encoder);
        encoder.writeByte(settle.state().code());
        encoder.writeText(settle.detail());
        encoder.writeLong(settle.atMillis());
      }
      case Command.AllowTable allow -> {
        encoder.writeByte(ALLOW_TABLE);
        writeAllowance(allow.allowance(), encoder);
      }
      case Command.DisallowTable disallow -> {
        encoder.writeByte(DISALLOW_TABLE);
        encoder.writeText(disallow.job());
        encoder.writeText(disallow.table());
      }
      case Command.AllowCenter allow -> {
        encoder.writeByte(
            switch (allow.right()) {
              case JOBS -> ALLOW_JOBS;
              case ALARMS -> ALLOW_ALARMS;
              case DIAGNOSIS -> ALLOW_DIAGNOSIS;
            });
        encoder.writeBoolean(allow.allowed());
      }
      case Command.MarkJob mark -> {
        encoder.writeByte(MARK_JOB);
        encoder.writeText(mark.job());
        encoder.writeLong(mark.version());
      }
    }
  }

  /** Reads a command of a type that is none of the others'. */
  static Command read(int type, Decoder decoder) throws IOException, MalformedException {
    return switch (type) {
      case TAKE_ORDER ->
          new Command.TakeOrder(
              decoder.readLong(),
              readId(decoder),
              OrderState.ofCode(decoder.readByte()),
              decoder.readText(),
              decoder.readLong(),
              decoder.readBoolean() ? Optional.of(readNewRow(decoder)) : Optional.empty());
      case SETTLE_ORDER ->
          new Command.SettleOrder(
              readId(decoder),
              OrderState.ofCode(decoder.readByte()),
              decoder.readText(),
              decoder.readLong());
      case ALLOW_TABLE -> new Command.AllowTable(readAllowance(decoder));
      case DISALLOW_TABLE -> new Command.DisallowTable(decoder.readText(), decoder.readText());
      case ALLOW_JOBS -> new Command.AllowCenter(CenterRight.JOBS, decoder.readBoolean());
      case ALLOW_ALARMS -> new Command.AllowCenter(CenterRight.ALARMS, decoder.readBoolean());
      case ALLOW_DIAGNOSIS -> new Command.AllowCenter(CenterRight.DIAGNOSIS, decoder.readBoolean());
      case MARK_JOB -> new Command.MarkJob(decoder.readText(), decoder.readLong());
      default -> throw new MalformedException("a command of type " + type);
    };
  }

  private static Command.NewRow readNewRow(Decoder decoder) throws IOException, MalformedException {
    return new Command.NewRow(
        decoder.readText(),
        decoder.readLong(),
        decoder.readText(),
        decoder.readLong(),
        decoder.readBytes());
  }

  private static void writeId(UUID id, Encoder encoder) throws IOException {
    encoder.writeLong(id.getMostSignificantBits());
    encoder.writeLong(id.getLeastSignificantBits());
  }

  private static UUID readId(Decoder decoder) throws IOException, MalformedException {
    return new UUID(decoder.readLong(), decoder.readLong());
  }

  private static void writeAllowance(Allowance allowance, Encoder encoder) throws IOException {
    encoder.writeText(allowance.job());
    encoder.writeText(allowance.table());
    encoder.writeInt(allowance.columns().size());
    for (Allowance.Column column : allowance.columns()) {
      encoder.writeText(column.name());
      encoder.writeText(column.least());
      encoder.writeText(column.most());
    }
    encoder.writeInt(allowance.count());
    encoder.writeLong(allowance.perMillis());
  }

  private static Allowance readAllowance(Decoder decoder) throws IOException, MalformedException {
    String job = decoder.readText();
    String table = decoder.readText();
    int size = decoder.readCount(3 * Integer.BYTES, Allowance.MAX_COLUMNS);
    List<Allowance.Column> columns = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      columns.add(new Allowance.Column(decoder.readText(), decoder.readText(), decoder.readText()));
    }
    return new Allowance(job, table, columns, decoder.readInt(), decoder.readLong());
  }

  static void writeOrders(Orders orders, Encoder encoder) throws IOException {
    encoder.writeInt(orders.taken.size());
    for (Order order : orders.taken.values()) {
      encoder.writeLong(order.number());
      writeId(order.id(), encoder);
      encoder.writeByte(order.state().code());
      encoder.writeText(order.detail());
      encoder.writeLong(order.atMillis());
      encoder.writeBoolean(order.row().isPresent());
      if (order.row().isPresent()) {
        Order.Row row = order.row().get();
        encoder.writeText(row.job());
        encoder.writeText(row.table());
        encoder.writeLong(row.untilMillis());
        encoder.writeLong(row.sequence());
      }
    }
    encoder.writeInt(orders.allowances.size());
    for (Allowance allowance : orders.allowances.values()) {
      writeAllowance(allowance, encoder);
    }
  }

  static void readOrders(Orders orders, Decoder decoder) throws IOException, MalformedException {
    int taken = decoder.readCount(1, Order.MAX_ORDERS);
    for (int i = 0; i < taken; i++) {
      orders.add(
          new Order(
              decoder.readLong(),
              readId(decoder),
              OrderState.ofCode(decoder.readByte()),
              decoder.readText(),
              decoder.readLong(),
              decoder.readBoolean() ? Optional.of(readRow(decoder)) : Optional.empty()));
    }
    int allowances = decoder.readCount(1, Allowance.MAX_ALLOWANCES);
    for (int i = 0; i < allowances; i++) {
      Allowance allowance = readAllowance(decoder);
      orders.allowances.put(new Orders.Table(allowance.job(), allowance.table()), allowance);
    }
  }

  static void writeRight(Orders orders, CenterRight right, Encoder encoder) throws IOException {
    encoder.writeBoolean(orders.rights.contains(right));
  }

  static void readRight(Orders orders, CenterRight right, Decoder decoder)
      throws IOException, MalformedException {
    orders.allow(right, decoder.readBoolean());
  }

  static void writeJobs(Orders orders, Encoder encoder) throws IOException {
    writeRight(orders, CenterRight.JOBS, encoder);
    encoder.writeInt(orders.givenJobs.size());
    for (Map.Entry<String, Long> given : orders.givenJobs.entrySet()) {
      encoder.writeText(given.getKey());
      encoder.writeLong(given.getValue());
    }
  }

  static void readJobs(Orders orders, Decoder decoder) throws IOException, MalformedException {
    readRight(orders, CenterRight.JOBS, decoder);
    int given = decoder.readCount(Integer.BYTES + Long.BYTES, Integer.MAX_VALUE);
    for (int i = 0; i < given; i++) {
      orders.givenJobs.put(decoder.readText(), decoder.readLong());
    }
  }

  static void writeTimes(Orders orders, Encoder encoder) throws IOException {
    encoder.writeInt(orders.times.size());
    for (Map.Entry<Orders.Table, Deque<Long>> entry : orders.times.entrySet()) {
      encoder.writeText(entry.getKey().job());
      encoder.writeText(entry.getKey().name());
      encoder.writeInt(entry.getValue().size());
      for (long time : entry.getValue()) {
        encoder.writeLong(time);
      }
    }
  }

  static void readTimes(Orders orders, Decoder decoder) throws IOException, MalformedException {
    int tables = decoder.readCount(3 * Integer.BYTES, Allowance.MAX_ALLOWANCES);
    for (int i = 0; i < tables; i++) {
      Orders.Table table = new Orders.Table(decoder.readText(), decoder.readText());
      int size = decoder.readCount(Long.BYTES, Allowance.MAX_COUNT);
      Deque<Long> times = new ArrayDeque<>(size);
      for (int j = 0; j < size; j++) {
        times.addLast(decoder.readLong());
      }
      orders.times.put(table, times);
    }
  }

  private static Order.Row readRow(Decoder decoder) throws IOException, MalformedException {
    return new Order.Row(
        decoder.readText(), decoder.readText(), decoder.readLong(), decoder.readLong());
  }
}
