package io.sedge.learning.internal;

import io.sedge.engine.column.Column;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far scores are from labels, of all rows so far. One thread. */
public abstract sealed class Errors permits RegressionErrors, ClassErrors {
  private long rows;
  private long leftOut;

  /** Counts a row, or leaves it out if it cannot be told how far its score is from its label. */
  final void add(Column labels, Column scores, int row) {
    if (count(labels, scores, row)) {
      rows++;
    } else {
      leftOut++;
    }
  }

  /** Whether the row could be counted. */
  abstract boolean count(Column labels, Column scores, int row);

  /** Adds what another of the same kind has counted. */
  final void merge(Errors other) {
    mergeCounted(other);
    rows += other.rows;
    leftOut += other.leftOut;
  }

  abstract void mergeCounted(Errors other);

  /** How many rows have been counted. */
  final long rows() {
    return rows;
  }

  /** The metrics, then the rows and those left out; null for what is not defined. */
  final List<@Nullable Double> metrics() {
    List<@Nullable Double> metrics = new ArrayList<>();
    for (double metric : counted()) {
      metrics.add(rows > 0 && Double.isFinite(metric) ? metric : null);
    }
    metrics.add((double) rows);
    metrics.add((double) leftOut);
    return metrics;
  }

  /** The metrics; not finite where one is not defined. */
  abstract double[] counted();

  /** Writes all that it keeps. */
  final void write(DataOutput output) throws IOException {
    output.writeLong(rows);
    output.writeLong(leftOut);
    writeCounted(output);
  }

  abstract void writeCounted(DataOutput output) throws IOException;

  /** Reads what was written, into an empty one. */
  final void read(DataInput input) throws IOException {
    rows = input.readLong();
    leftOut = input.readLong();
    readCounted(input);
  }

  abstract void readCounted(DataInput input) throws IOException;
}
