package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Scores the readings of one key, each by those before it. What {@link #write} writes is all that
 * it knows: one that has read it gives the same scores, bit for bit.
 */
public interface Detector {
  /** No detector takes more values at a time. */
  int MOST_VALUES = 64;

  /** How many values a reading may have. */
  default int mostValues() {
    return 1;
  }

  /**
   * The score of a reading, which is then learnt from.
   *
   * @param reading its values, none beyond 1e100 to either side; as many as of the first reading
   * @param time of the reading in microseconds, for detectors that are timed
   * @return higher for stranger readings; NaN while too few have been seen
   */
  double score(double[] reading, long time);

  void write(DataOutput output) throws IOException;

  void read(DataInput input) throws IOException;
}
