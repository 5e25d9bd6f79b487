package io.sedge.engine.column;

import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of DECIMAL values, each with the scale of the column's type; null rows hold null. */
public final class DecimalColumn extends Column {
  private final @Nullable BigDecimal[] values;

  public DecimalColumn(@Nullable BigDecimal[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  public @Nullable BigDecimal[] values() {
    return values;
  }

  @Override
  public DecimalColumn gather(int[] rows, int count) {
    @Nullable BigDecimal[] gathered = new BigDecimal[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new DecimalColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public DecimalColumn slice(int from, int to) {
    return new DecimalColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable BigDecimal value(int row) {
    return isNull(row) ? null : values[row];
  }
}
