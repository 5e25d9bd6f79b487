package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A sum that keeps what rounding takes away, so that its error does not grow with the number of
 * rows (Neumaier: Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974).
 */
final class CompensatedSum {
  private double sum;
  private double lost;

  void add(double value) {
    double next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }

  void add(CompensatedSum other) {
    add(other.sum);
    lost += other.lost;
  }

  double value() {
    return sum + lost;
  }

  void write(DataOutput output) throws IOException {
    output.writeDouble(sum);
    output.writeDouble(lost);
  }

  void read(DataInput input) throws IOException {
    sum = input.readDouble();
    lost = input.readDouble();
  }
}
