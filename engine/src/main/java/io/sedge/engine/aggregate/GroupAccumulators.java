package io.sedge.engine.aggregate;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The accumulators of all aggregates of a query for many groups: group g has slot g. Picks the
 * arguments out of a batch, applies FILTER and DISTINCT, and lets built-in calls over the same
 * argument share what they keep. Merging and state as for {@link Accumulators}. One thread.
 */
public final class GroupAccumulators {

  /** Accumulators, the columns that feed them, and the column that filters their rows or -1. */
  private record Part(
      @Nullable Shared shared,
      @Nullable Accumulators separate,
      List<Integer> arguments,
      int filter) {

    Selection filtered(Selection all, Batch batch) {
      if (filter < 0) {
        return all;
      }
      BooleanColumn column = (BooleanColumn) batch.column(filter);
      return all.where(column.values(), true).where(column.nulls(), false);
    }

    private List<Column> columns(Batch batch) {
      return arguments.stream().map(batch::column).toList();
    }

    void add(Selection all, Batch batch) {
      Selection selection = filtered(all, batch);
      if (shared == null) {
        alone().add(selection.rows(), selection.slots(), selection.count(), columns(batch));
        return;
      }
      Selection present = present(selection, batch);
      if (present.count() == 0) {
        return;
      }
      if (arguments.isEmpty()) {
        ((Counts) shared).add(present);
      } else {
        shared.add(present, batch.column(arguments.getFirst()));
      }
    }

    private Selection present(Selection selection, Batch batch) {
      return arguments.isEmpty()
          ? selection
          : selection.where(batch.column(arguments.getFirst()).nulls(), false);
    }

    Accumulators alone() {
      if (separate == null) {
        throw new IllegalStateException("a part has accumulators of its own or shared ones");
      }
      return separate;
    }
  }

  /**
   * What a part is made of, before there are accumulators.
   *
   * @param family of the shared accumulators; null where {@code supplier} makes them
   */
  private record PartPlan(
      SharedFactory.@Nullable Family family,
      int needs,
      @Nullable Supplier<Accumulators> supplier,
      List<Integer> arguments,
      int filter) {

    boolean serves(SharedFactory.Family wanted, AggregateCall call) {
      if (family == null || filter != call.filter()) {
        return false;
      }
      if (wanted == SharedFactory.Family.COUNT && call.arguments().isEmpty()) {
        return arguments.isEmpty();
      }
      return arguments.equals(call.arguments())
          && (family == wanted || wanted == SharedFactory.Family.COUNT);
    }

    Part make() {
      if (family != null) {
        return new Part(SharedFactory.make(family, needs), null, arguments, filter);
      }
      if (supplier == null) {
        throw new IllegalStateException("a part is shared or has a supplier");
      }
      return new Part(null, supplier.get(), arguments, filter);
    }
  }

  /** Where the result of a call is: a part, and what to read of it if it is shared. */
  private record Reading(int part, @Nullable Outcome outcome) {}

  /** Makes accumulators for a list of calls; immutable. */
  public static final class Factory {
    private final List<PartPlan> parts;
    private final List<Reading> readings;

    private Factory(List<PartPlan> parts, List<Reading> readings) {
      this.parts = parts;
      this.readings = readings;
    }

    public GroupAccumulators create() {
      return new GroupAccumulators(parts.stream().map(PartPlan::make).toList(), readings);
    }
  }

  private final List<Part> parts;
  private final List<Reading> readings;

  private GroupAccumulators(List<Part> parts, List<Reading> readings) {
    this.parts = parts;
    this.readings = readings;
  }

  /**
   * Looks the calls up and decides which of them share.
   *
   * @throws IllegalArgumentException if the registry has no such function
   */
  public static Factory factory(List<AggregateCall> calls, AggregateRegistry registry) {
    List<PartPlan> parts = new ArrayList<>();
    Reading[] readings = new Reading[calls.size()];
    for (boolean counting : new boolean[] {false, true}) {
      for (int i = 0; i < calls.size(); i++) {
        Supplier<Accumulators> supplier = find(calls.get(i), registry);
        boolean counts =
            supplier instanceof SharedFactory factory
                && factory.family() == SharedFactory.Family.COUNT;
        if (counts == counting) {
          readings[i] = place(calls.get(i), supplier, parts);
        }
      }
    }
    return new Factory(List.copyOf(parts), List.of(readings));
  }

  private static Supplier<Accumulators> find(AggregateCall call, AggregateRegistry registry) {
    Supplier<Accumulators> supplier =
        registry
            .find(call)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no aggregate function %s for the types %s (column `%s`)"
                            .formatted(call.function(), call.argumentTypes(), call.name())));
    if (!call.distinct() || isBlindToRepeats(call.function())) {
      return supplier;
    }
    List<Type> types = call.argumentTypes();
    return () -> new Distinct(supplier.get(), types);
  }

  private static boolean isBlindToRepeats(String function) {
    return function.equals("MIN") || function.equals("MAX");
  }

  private static Reading place(
      AggregateCall call, Supplier<Accumulators> supplier, List<PartPlan> parts) {
    if (!(supplier instanceof SharedFactory(var family, var needs, var outcome))) {
      parts.add(new PartPlan(null, 0, supplier, call.arguments(), call.filter()));
      return new Reading(parts.size() - 1, null);
    }
    for (int i = 0; i < parts.size(); i++) {
      PartPlan part = parts.get(i);
      if (part.serves(family, call)) {
        int all = part.needs() | needs;
        parts.set(i, new PartPlan(part.family(), all, null, part.arguments(), part.filter()));
        return new Reading(i, outcome);
      }
    }
    parts.add(new PartPlan(family, needs, null, call.arguments(), call.filter()));
    return new Reading(parts.size() - 1, outcome);
  }

  /** Makes the slots 0 to {@code slots - 1} usable; new ones are empty. */
  public void ensureSlots(int slots) {
    for (Part part : parts) {
      if (part.shared() != null) {
        part.shared().ensureSlots(slots);
      } else {
        part.alone().ensureSlots(slots);
      }
    }
  }

  /** Makes a slot empty again. */
  public void clear(int slot) {
    for (Part part : parts) {
      if (part.shared() != null) {
        part.shared().clear(slot);
      } else {
        part.alone().clear(slot);
      }
    }
  }

  /**
   * Adds rows of a batch.
   *
   * @param rows the rows that count, ascending
   * @param slots the slot of each of them
   */
  public void add(int[] rows, int[] slots, int count, Batch batch) {
    if (count > 0) {
      Selection all = new Selection(rows, slots, count);
      for (Part part : parts) {
        part.add(all, batch);
      }
    }
  }

  /** Merges slot {@code others[i]} of other into slot {@code slots[i]}, for each i below count. */
  public void merge(int[] slots, GroupAccumulators other, int[] others, int count) {
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      Part from = other.parts.get(p);
      if (part.shared() != null && from.shared() != null) {
        for (int i = 0; i < count; i++) {
          part.shared().merge(slots[i], from.shared(), others[i]);
        }
      } else {
        for (int i = 0; i < count; i++) {
          part.alone().merge(slots[i], from.alone(), others[i]);
        }
      }
    }
  }

  /** Merges a slot of other into a slot of this. */
  public void merge(int slot, GroupAccumulators other, int otherSlot) {
    for (int p = 0; p < parts.size(); p++) {
      Part part = parts.get(p);
      Part from = other.parts.get(p);
      if (part.shared() != null && from.shared() != null) {
        part.shared().merge(slot, from.shared(), otherSlot);
      } else {
        part.alone().merge(slot, from.alone(), otherSlot);
      }
    }
  }

  /** Appends the results of a call for the slots {@code from} to {@code to - 1}. */
  public void results(int from, int to, int call, ColumnBuilder output) {
    Reading reading = readings.get(call);
    Part part = parts.get(reading.part());
    for (int slot = from; slot < to; slot++) {
      if (part.shared() != null && reading.outcome() != null) {
        part.shared().result(slot, reading.outcome(), output);
      } else {
        part.alone().result(slot, output);
      }
    }
  }

  /** Writes a slot so that {@link #read} on any machine restores it. */
  public void write(int slot, DataOutput output) throws IOException {
    for (Part part : parts) {
      if (part.shared() != null) {
        part.shared().write(slot, output);
      } else {
        part.alone().write(slot, output);
      }
    }
  }

  /** Replaces a slot with what {@link #write} wrote. */
  public void read(int slot, DataInput input) throws IOException {
    for (Part part : parts) {
      if (part.shared() != null) {
        part.shared().read(slot, input);
      } else {
        part.alone().read(slot, input);
      }
    }
  }
}
