package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import java.util.List;

/** Accumulators of an aggregate that passes over the rows whose one argument is null. */
abstract class SingleArgument implements Accumulators {

  @Override
  public final void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    add(new Selection(rows, slots, count), arguments.getFirst());
  }

  final void add(Selection selection, Column argument) {
    Selection present = selection.where(argument.nulls(), false);
    if (present.count() > 0) {
      addPresent(present, argument);
    }
  }

  /** Adds rows of which none is null; there is at least one. */
  abstract void addPresent(Selection selection, Column argument);
}
