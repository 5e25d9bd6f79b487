package io.sedge.tensor.training.data;

import java.util.Arrays;
import java.util.List;

/**
 * Examples to learn from: scaled features of one or several rows, and targets. A view of rows that
 * many sets of examples share; immutable, but for the arrays that callers hand in to be filled.
 */
public final class Examples {
  private final double[] features;
  private final double[] targets;
  private final int width;
  private final int targetWidth;
  private final int window;
  private final int[] starts;

  private Examples(
      double[] features, double[] targets, int width, int targetWidth, int window, int[] starts) {
    this.features = features;
    this.targets = targets;
    this.width = width;
    this.targetWidth = targetWidth;
    this.window = window;
    this.starts = starts;
  }

  /**
   * The examples of a table.
   *
   * @param featureScaling one entry for each feature
   * @param targetScaling one entry for each target
   * @throws DataException if a column is missing or there are fewer rows than a window has
   */
  public static Examples of(
      Table table, ExampleColumns columns, Scaling featureScaling, Scaling targetScaling) {
    double[] features = scaled(table, columns.features(), featureScaling);
    double[] targets = scaled(table, columns.targets(), targetScaling);
    int count = (table.rows() - columns.window()) / columns.stride() + 1;
    if (table.rows() < columns.window()) {
      throw new DataException(
          "%s has %d rows, fewer than one window of %d"
              .formatted(table.name(), table.rows(), columns.window()));
    }
    int[] starts = new int[count];
    Arrays.setAll(starts, i -> i * columns.stride());
    return new Examples(
        features,
        targets,
        columns.features().size(),
        columns.targets().size(),
        columns.window(),
        starts);
  }

  private static double[] scaled(Table table, List<String> columns, Scaling scaling) {
    if (scaling.size() != columns.size()) {
      throw new IllegalArgumentException(
          "a scaling of %d columns for %d: %s".formatted(scaling.size(), columns.size(), columns));
    }
    int[] positions = columns.stream().mapToInt(table::column).toArray();
    double[] values = new double[Math.multiplyExact(table.rows(), positions.length)];
    int next = 0;
    for (int row = 0; row < table.rows(); row++) {
      for (int i = 0; i < positions.length; i++) {
        values[next++] = scaling.scale(i, table.value(row, positions[i]));
      }
    }
    return values;
  }

  /** How many there are. */
  public int size() {
    return starts.length;
  }

  /** How many columns a row of an example has. */
  public int width() {
    return width;
  }

  /** How many rows an example has. */
  public int window() {
    return window;
  }

  /** How many numbers the target of an example has; 0 where the features are the target. */
  public int targetWidth() {
    return targetWidth;
  }

  /** A target of an example, scaled. */
  public double target(int example, int index) {
    return targets[(starts[example] + window - 1) * targetWidth + index];
  }

  /**
   * Every {@code count}-th example from {@code index} on: no two shards share one, all have all.
   */
  public Examples shard(int index, int count) {
    if (count < 1 || index < 0 || index >= count) {
      throw new IllegalArgumentException("shard %d of %d".formatted(index, count));
    }
    int[] picked = new int[(starts.length - index + count - 1) / count];
    Arrays.setAll(picked, i -> starts[index + i * count]);
    return withStarts(picked);
  }

  /** The examples from {@code from}, inclusive, to {@code to}, exclusive. */
  public Examples range(int from, int to) {
    return withStarts(Arrays.copyOfRange(starts, from, to));
  }

  private Examples withStarts(int[] chosen) {
    return new Examples(features, targets, width, targetWidth, window, chosen);
  }

  /**
   * Copies the features of examples, one after the other.
   *
   * @param chosen which examples
   * @param into of at least {@code chosen.length * window() * width()}
   */
  public void copyFeatures(int[] chosen, double[] into) {
    int length = window * width;
    for (int i = 0; i < chosen.length; i++) {
      System.arraycopy(features, starts[chosen[i]] * width, into, i * length, length);
    }
  }

  /** Copies the targets of examples, one after the other; the features where there are none. */
  public void copyTargets(int[] chosen, double[] into) {
    if (targetWidth == 0) {
      copyFeatures(chosen, into);
      return;
    }
    for (int i = 0; i < chosen.length; i++) {
      int last = (starts[chosen[i]] + window - 1) * targetWidth;
      System.arraycopy(targets, last, into, i * targetWidth, targetWidth);
    }
  }
}
