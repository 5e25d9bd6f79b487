package io.sedge.connector.modbus.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.command.CommandMaker;
import io.sedge.engine.column.Batch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes commands of rows: neighbouring registers are written together, NULLs not at all. */
final class RegisterCommands implements CommandMaker<RegisterCommand> {
  /** The most registers that a request writes. */
  static final int MAX_REGISTERS = 123;

  /** The most coils that a request writes. */
  private static final int MAX_COILS = 1_968;

  private final TableShape shape;
  private final Set<Integer> units;
  private final boolean timed;
  private final List<Field> sorted;

  /**
   * @param units those that may be written to; one, if the table has no column for it
   * @param timed whether each command has to say when it was given
   */
  RegisterCommands(TableShape shape, Set<Integer> units, boolean timed) {
    this.shape = shape;
    this.units = Set.copyOf(units);
    this.timed = timed;
    this.sorted =
        shape.fields().stream()
            .sorted(
                Comparator.comparing((Field field) -> field.register().span().kind())
                    .thenComparingInt(field -> field.register().span().address()))
            .toList();
  }

  /**
   * The command of a row.
   *
   * @throws MalformedValueException if registers cannot hold its values, its unit is none of the
   *     table's, or its time is missing and needed
   */
  @Override
  public RegisterCommand command(long sequence, Batch batch, int row, Optional<Awaited> awaited)
      throws MalformedValueException {
    List<RegisterCommand.Write> writes = new ArrayList<>();
    List<byte[]> together = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    @Nullable Span first = null;
    int end = 0;
    for (Field field : sorted) {
      Object value = batch.column(field.column()).value(row);
      if (value == null) {
        continue;
      }
      Span span = field.register().span();
      boolean joins =
          first != null
              && first.kind() == span.kind()
              && end == span.address()
              && span.end() - first.address() <= most(span.kind());
      if (first != null && !joins) {
        writes.add(write(first, together, columns));
        together.clear();
        columns.clear();
      }
      first = joins ? first : span;
      together.add(field.encode(value));
      columns.add(field.name());
      end = span.end();
    }
    if (first != null) {
      writes.add(write(first, together, columns));
    }
    return new RegisterCommand(
        sequence,
        unit(batch, row),
        given(batch, row, awaited),
        writes,
        batch.row(row).toString(),
        awaited);
  }

  private static int most(RegisterKind kind) {
    return kind.isBits() ? MAX_COILS : MAX_REGISTERS;
  }

  @Override
  public RegisterCommand none(long sequence, String text, Optional<Awaited> awaited) {
    return new RegisterCommand(sequence, 0, Long.MAX_VALUE, List.of(), text, awaited);
  }

  private static RegisterCommand.Write write(
      Span first, List<byte[]> values, List<String> columns) {
    if (first.kind().isBits()) {
      byte[] packed = new byte[(values.size() + 7) / 8];
      for (int i = 0; i < values.size(); i++) {
        packed[i / 8] |= (byte) (values.get(i)[0] << i % 8);
      }
      return new RegisterCommand.Write(
          new Span(first.kind(), first.address(), values.size()), packed, columns);
    }
    byte[] all = new byte[values.stream().mapToInt(value -> value.length).sum()];
    int at = 0;
    for (byte[] value : values) {
      System.arraycopy(value, 0, all, at, value.length);
      at += value.length;
    }
    return new RegisterCommand.Write(
        new Span(first.kind(), first.address(), all.length / 2), all, columns);
  }

  private int unit(Batch batch, int row) throws MalformedValueException {
    if (shape.unit() < 0) {
      return units.iterator().next();
    }
    Object given = batch.column(shape.unit()).value(row);
    for (int unit : units) {
      if (Integer.toString(unit).equals(String.valueOf(given))) {
        return unit;
      }
    }
    throw new MalformedValueException(
        "the unit is %s, which 'units' does not have".formatted(given));
  }

  /** One that somebody waits for has an end of its own. */
  private long given(Batch batch, int row, Optional<Awaited> awaited)
      throws MalformedValueException {
    if (shape.time() >= 0 && batch.column(shape.time()).value(row) instanceof Long micros) {
      return micros;
    }
    if (timed && awaited.isEmpty()) {
      throw new MalformedValueException(
          "column `%s` is NULL, but 'sink.max-age' needs to know when a command was given"
              .formatted(shape.schema().name(shape.time())));
    }
    return Long.MAX_VALUE;
  }
}
