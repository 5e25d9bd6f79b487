package io.sedge.learning;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Type;
import io.sedge.learning.internal.Numbers;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts scored rows into the bins of a model's training rows, as an aggregate of a window: so
 * counts are committed, moved and restored as any other state is, and those of several devices add
 * up exactly. Its arguments are the features, the columns of the score, and the event time.
 *
 * <p>A model without a reference counts nothing. Counts belong to one version: those of another one
 * are dropped, as their bins are others.
 *
 * <p>Format of a slot: its version (1 byte); {@link Reference#fingerprint} (8 bytes, 0 for no
 * counts); then the time of the last row (8 bytes), and as numbers of 7 bits a byte: the rows left
 * out, how many bins there are, and the counts of all bins of all columns, in their order.
 */
public final class DriftAccumulators implements Accumulators {
  /** The columns of a result's elements. */
  public static final List<String> COLUMNS =
      List.of("version", "feature", "row_count", "left_out", "psi", "by_chance");

  /** An element for each feature and each column of the score. */
  public static final Type RESULT =
      Type.array(
              Type.row(
                      COLUMNS,
                      List.of(
                          Type.STRING.notNull(),
                          Type.STRING.notNull(),
                          Type.BIGINT.notNull(),
                          Type.BIGINT.notNull(),
                          Type.DOUBLE,
                          Type.DOUBLE))
                  .notNull())
          .notNull();

  private static final byte VERSION = 1;
  private static final int MORE_FOLLOWS = 0x80;

  private final Watched model;
  private final List<String> names;

  /** Between the bins of each column. */
  private final double[][] edges;

  private final List<@Nullable Slot> slots = new ArrayList<>();

  /**
   * A model that is watched.
   *
   * @param board is told of each window
   */
  public record Watched(
      ModelDescriptor descriptor,
      Optional<Reference> reference,
      DriftOptions options,
      DriftBoard board) {}

  private static final class Slot {
    private final long[][] counts;
    private long leftOut;
    private long untilMicros = Long.MIN_VALUE;

    Slot(Reference reference) {
      counts =
          reference.columns().stream()
              .map(column -> new long[column.counts().length])
              .toArray(long[][]::new);
    }

    long rows() {
      return Arrays.stream(counts[0]).sum();
    }
  }

  /** Empty ones. */
  public DriftAccumulators(Watched model) {
    this.model = model;
    this.names = new ArrayList<>(model.descriptor().input().names());
    names.addAll(model.descriptor().output().names());
    this.edges =
        model.reference().stream()
            .flatMap(reference -> reference.columns().stream())
            .map(Distribution::edges)
            .toArray(double[][]::new);
  }

  @Override
  public void ensureSlots(int count) {
    while (slots.size() < count) {
      slots.add(null);
    }
  }

  @Override
  public void clear(int slot) {
    slots.set(slot, null);
  }

  @Override
  public void add(int[] rows, int[] targets, int count, List<Column> arguments) {
    if (model.reference().isEmpty() || count == 0) {
      return;
    }
    Reference reference = model.reference().get();
    int columns = reference.columns().size();
    double[][] values = new double[columns][];
    for (int column = 0; column < columns; column++) {
      values[column] = values(arguments.get(column), rows, count);
    }
    LongColumn times = (LongColumn) arguments.get(columns);
    for (int i = 0; i < count; i++) {
      Slot slot = slot(targets[i], reference);
      int row = rows[i];
      if (!times.isNull(row)) {
        slot.untilMicros = Math.max(slot.untilMicros, times.values()[row]);
      }
      if (isWhole(values, row)) {
        for (int column = 0; column < columns; column++) {
          slot.counts[column][Distribution.bin(edges[column], values[column][row])]++;
        }
      } else {
        slot.leftOut++;
      }
    }
  }

  private Slot slot(int target, Reference reference) {
    Slot slot = slots.get(target);
    if (slot == null) {
      slot = new Slot(reference);
      slots.set(target, slot);
    }
    return slot;
  }

  private static boolean isWhole(double[][] values, int row) {
    for (double[] column : values) {
      if (!Numbers.isUsable(column[row])) {
        return false;
      }
    }
    return true;
  }

  /** By row; NaN where a value is NULL or no number. */
  private static double[] values(Column column, int[] rows, int count) {
    if (column instanceof DoubleColumn doubles && doubles.nulls() == null) {
      return doubles.values();
    }
    double[] values = new double[rows[count - 1] + 1];
    for (int i = 0; i < count; i++) {
      values[rows[i]] = Numbers.value(column, rows[i]);
    }
    return values;
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    Slot from = ((DriftAccumulators) other).slots.get(otherSlot);
    if (from == null || model.reference().isEmpty()) {
      return;
    }
    Slot into = slot(slot, model.reference().get());
    for (int column = 0; column < into.counts.length; column++) {
      for (int bin = 0; bin < into.counts[column].length; bin++) {
        into.counts[column][bin] += from.counts[column][bin];
      }
    }
    into.leftOut += from.leftOut;
    into.untilMicros = Math.max(into.untilMicros, from.untilMicros);
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    List<Drift> drifts = drifts(slots.get(slot));
    if (!drifts.isEmpty()) {
      model.board().show(model.descriptor().name(), drifts);
    }
    output.add(drifts.stream().map(DriftAccumulators::element).toList());
  }

  private List<Drift> drifts(@Nullable Slot slot) {
    List<Drift> drifts = new ArrayList<>();
    long least = model.options().leastRows();
    if (slot == null || slot.rows() + slot.leftOut < least) {
      return drifts;
    }
    Reference reference = model.reference().orElseThrow();
    long rows = slot.rows();
    for (int column = 0; column < slot.counts.length; column++) {
      long[] then = reference.columns().get(column).counts();
      long[] now = slot.counts[column];
      boolean compares = rows >= least && reference.columns().get(column).rows() > 0;
      drifts.add(
          new Drift(
              model.descriptor().name(),
              reference.version(),
              names.get(column),
              slot.untilMicros,
              rows,
              slot.leftOut,
              compares ? StabilityIndex.of(then, now) : Double.NaN,
              compares ? StabilityIndex.byChance(then, now) : Double.NaN));
    }
    return drifts;
  }

  private static List<@Nullable Object> element(Drift drift) {
    return Arrays.asList(
        drift.version(),
        drift.feature(),
        drift.rows(),
        drift.leftOut(),
        Double.isNaN(drift.psi()) ? null : drift.psi(),
        Double.isNaN(drift.byChance()) ? null : drift.byChance());
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    Slot found = slots.get(slot);
    output.writeByte(VERSION);
    if (found == null || model.reference().isEmpty()) {
      output.writeLong(0);
      output.writeLong(Long.MIN_VALUE);
      writeNumber(0, output);
      writeNumber(0, output);
      return;
    }
    output.writeLong(model.reference().get().fingerprint());
    output.writeLong(found.untilMicros);
    writeNumber(found.leftOut, output);
    writeNumber(Arrays.stream(found.counts).mapToLong(column -> column.length).sum(), output);
    for (long[] column : found.counts) {
      for (long each : column) {
        writeNumber(each, output);
      }
    }
  }

  private static void writeNumber(long value, DataOutput output) throws IOException {
    long rest = value;
    while (rest >= MORE_FOLLOWS) {
      output.writeByte((int) (rest & 0x7F) | MORE_FOLLOWS);
      rest >>>= 7;
    }
    output.writeByte((int) rest);
  }

  private static long readNumber(DataInput input) throws IOException {
    long value = 0;
    int shift = 0;
    int next;
    do {
      next = input.readUnsignedByte();
      value |= (long) (next & 0x7F) << shift;
      shift += 7;
    } while (next >= MORE_FOLLOWS && shift < Long.SIZE);
    return value;
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    byte version = input.readByte();
    if (version != VERSION) {
      throw new IOException(
          "the counts of a model's drift have version %d, not %d".formatted(version, VERSION));
    }
    long fingerprint = input.readLong();
    long untilMicros = input.readLong();
    long leftOut = readNumber(input);
    long bins = readNumber(input);
    slots.set(slot, null);
    if (model.reference().filter(own -> own.fingerprint() == fingerprint).isEmpty()) {
      for (long bin = 0; bin < bins; bin++) {
        readNumber(input);
      }
      return;
    }
    Slot found = slot(slot, model.reference().get());
    long own = Arrays.stream(found.counts).mapToLong(column -> column.length).sum();
    if (bins != own) {
      throw new IOException(
          "the counts of the drift of model %s are damaged: they have %d bins, not %d"
              .formatted(model.descriptor().name(), bins, own));
    }
    found.untilMicros = untilMicros;
    found.leftOut = leftOut;
    for (long[] column : found.counts) {
      for (int bin = 0; bin < column.length; bin++) {
        column[bin] = readNumber(input);
      }
    }
  }
}
