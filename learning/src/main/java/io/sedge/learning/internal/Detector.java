package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Scores the readings of one key, each by those before it. What {@link #write} writes is all that
 * it knows: one that has read it gives the same scores, bit for bit.
 */
public interface Detector {
  /**
   * The score of a reading, which is then learnt from.
   *
   * @param reading its values, which are finite; as many as of the first reading
   * @param time of the reading in microseconds, for detectors that are timed
   * @return higher for stranger readings; NaN while too few have been seen
   */
  double score(double[] reading, long time);

  void write(DataOutput output) throws IOException;

  void read(DataInput input) throws IOException;
}
