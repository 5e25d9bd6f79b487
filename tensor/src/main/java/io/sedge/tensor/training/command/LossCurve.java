package io.sedge.tensor.training.command;

import java.util.Locale;

/**
 * The course of a loss in bounded memory, and a picture of it. Steps are gathered in buckets; when
 * all are used, each two become one, so that there are always between half and all of them.
 */
final class LossCurve {
  private static final int BUCKETS = 512;
  private static final int WIDTH = 720;
  private static final int HEIGHT = 360;
  private static final int MARGIN = 56;

  private final double[] sums = new double[BUCKETS];
  private final long[] counts = new long[BUCKETS];
  private int used = 1;
  private long perBucket = 1;
  private long steps;

  void add(double loss) {
    if (counts[used - 1] == perBucket) {
      if (used == BUCKETS) {
        halve();
      }
      used++;
    }
    sums[used - 1] += loss;
    counts[used - 1]++;
    steps++;
  }

  private void halve() {
    for (int i = 0; i < BUCKETS / 2; i++) {
      sums[i] = sums[2 * i] + sums[2 * i + 1];
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    }
    java.util.Arrays.fill(sums, BUCKETS / 2, BUCKETS, 0);
    java.util.Arrays.fill(counts, BUCKETS / 2, BUCKETS, 0);
    used = BUCKETS / 2;
    perBucket *= 2;
  }

  /** The mean of the last steps, at least one bucket. */
  double last() {
    return counts[used - 1] == 0 ? Double.NaN : sums[used - 1] / counts[used - 1];
  }

  /** A picture: steps to the right, loss upwards on a logarithmic scale. */
  String svg(String title) {
    double low = Double.MAX_VALUE;
    double high = 0;
    for (int i = 0; i < used && counts[i] > 0; i++) {
      double mean = Math.max(1e-12, sums[i] / counts[i]);
      low = Math.min(low, mean);
      high = Math.max(high, mean);
    }
    if (high == 0) {
      low = 1;
      high = 1;
    }
    double bottom = Math.log10(low) - 0.05;
    double top = Math.max(Math.log10(high) + 0.05, bottom + 0.1);
    StringBuilder line = new StringBuilder();
    long before = 0;
    for (int i = 0; i < used && counts[i] > 0; i++) {
      double x = MARGIN + (WIDTH - 2.0 * MARGIN) * (before + counts[i] / 2.0) / Math.max(1, steps);
      double height = (Math.log10(Math.max(1e-12, sums[i] / counts[i])) - bottom) / (top - bottom);
      line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y(height)));
      before += counts[i];
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
    font-family="sans-serif" font-size="12">
    <rect width="100%%" height="100%%" fill="white"/>
    <text x="%3$d" y="24" font-size="15">%4$s</text>
    <path d="M%3$d %5$.1f V%6$.1f H%7$d" fill="none" stroke="#888"/>
    <text x="8" y="%8$.1f">%9$s</text>
    <text x="8" y="%6$.1f">%10$s</text>
    <text x="%3$d" y="%11$d">step 0</text>
    <text x="%7$d" y="%11$d" text-anchor="end">%12$d</text>
    <polyline points="%13$s" fill="none" stroke="#0b6e4f" stroke-width="1.5"/>
    </svg>
    """
        .formatted(
            WIDTH,
            HEIGHT,
            MARGIN,
            escaped(title),
            y(1),
            y(0),
            WIDTH - MARGIN,
            y(1) + 10,
            String.format(Locale.ROOT, "%.3g", Math.pow(10, top)),
            String.format(Locale.ROOT, "%.3g", Math.pow(10, bottom)),
            HEIGHT - MARGIN + 20,
            steps,
            line.toString().strip());
  }

  private static double y(double height) {
    return HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * height;
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
