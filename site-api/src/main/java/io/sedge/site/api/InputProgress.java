package io.sedge.site.api;

/**
 * How much of a bounded job's input is done; a part counts when it is done whole.
 *
 * @param parts into which the input was cut; 0 if it is not cut, or not yet
 * @param bytes of the input, about
 * @param secondsLeft until all is done, at the pace so far; -1 if not known
 */
public record InputProgress(
    int parts, int partsDone, long bytes, long bytesDone, double secondsLeft) {
  /** Of a job whose input is not cut. */
  public static final InputProgress NONE = new InputProgress(0, 0, 0, 0, -1);

  /** What is done, of 1. */
  public double fraction() {
    return parts == 0
        ? 0
        : bytes == 0 ? (double) partsDone / parts : Math.min(1, (double) bytesDone / bytes);
  }
}
