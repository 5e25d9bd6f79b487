package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes accumulators for a call that may share them with other calls. {@link GroupAccumulators}
 * knows it and lets calls over the same argument share; as a plain factory it makes accumulators
 * for its one call.
 *
 * @param family which accumulators
 * @param needs what they must keep, as bits of {@link Shared}
 * @param outcome what the call reads
 */
record SharedFactory(Family family, int needs, Outcome outcome) implements Supplier<Accumulators> {

  /** The kinds of shared accumulators. */
  enum Family {
    COUNT,
    LONG,
    DOUBLE,
    DECIMAL
  }

  /** Makes accumulators that keep {@code all} that some calls need. */
  static Shared make(Family family, int all) {
    return switch (family) {
      case COUNT -> new Counts();
      case LONG -> new LongStatistics(all);
      case DOUBLE -> new DoubleStatistics(all);
      case DECIMAL -> new DecimalStatistics(all);
    };
  }

  @Override
  public Accumulators get() {
    return new OneCall(make(family, needs), outcome);
  }

  /** The shared accumulators of one call. */
  private record OneCall(Shared shared, Outcome outcome) implements Accumulators {
    @Override
    public void ensureSlots(int slots) {
      shared.ensureSlots(slots);
    }

    @Override
    public void clear(int slot) {
      shared.clear(slot);
    }

    @Override
    public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
      Selection all = new Selection(rows, slots, count);
      @Nullable Column argument = arguments.isEmpty() ? null : arguments.getFirst();
      Selection present = argument == null ? all : all.where(argument.nulls(), false);
      if (present.count() == 0) {
        return;
      }
      if (argument == null) {
        ((Counts) shared).add(present);
      } else {
        shared.add(present, argument);
      }
    }

    @Override
    public void merge(int slot, Accumulators other, int otherSlot) {
      shared.merge(slot, ((OneCall) other).shared, otherSlot);
    }

    @Override
    public void result(int slot, ColumnBuilder output) {
      shared.result(slot, outcome, output);
    }

    @Override
    public void write(int slot, DataOutput output) throws IOException {
      shared.write(slot, output);
    }

    @Override
    public void read(int slot, DataInput input) throws IOException {
      shared.read(slot, input);
    }
  }
}
