package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The Page-Hinkley test to both sides: {@code m += z - delta}, and the sum is {@code m} less the
 * least that it has been; the same for {@code -z}. It waits for changes that are small and last.
 *
 * <p>Source: Hinkley, "Inference about the change-point from cumulative sum tests", Biometrika 58,
 * 1971; in this form Gama and others, "A Survey on Concept Drift Adaptation", ACM Computing Surveys
 * 46, 2014, section 3.2.
 */
final class PageHinkleyScore extends ChangeScore {
  private final double delta;
  private double up;
  private double leastUp;
  private double down;
  private double leastDown;

  PageHinkleyScore(double delta, double limit) {
    super(limit);
    this.delta = delta;
  }

  @Override
  double add(double deviations) {
    up += deviations - delta;
    leastUp = Math.min(leastUp, up);
    down += -deviations - delta;
    leastDown = Math.min(leastDown, down);
    return Math.max(up - leastUp, down - leastDown);
  }

  @Override
  void clear() {
    up = 0;
    leastUp = 0;
    down = 0;
    leastDown = 0;
  }

  @Override
  void writeSums(DataOutput output) throws IOException {
    output.writeDouble(up);
    output.writeDouble(leastUp);
    output.writeDouble(down);
    output.writeDouble(leastDown);
  }

  @Override
  void readSums(DataInput input) throws IOException {
    up = input.readDouble();
    leastUp = input.readDouble();
    down = input.readDouble();
    leastDown = input.readDouble();
  }
}
