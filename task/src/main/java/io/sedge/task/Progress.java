package io.sedge.task;

/**
 * How far a stream has come.
 *
 * @param watermark no row with an earlier event time is expected, in microseconds; {@link
 *     Long#MIN_VALUE} for none yet, {@link Long#MAX_VALUE} after the end
 * @param idle whether it has no rows for a while and holds back nobody
 */
public record Progress(long watermark, boolean idle) {
  /** Before anything is known. */
  public static final Progress NONE = new Progress(Long.MIN_VALUE, false);

  /** What holds when the later one has been told: a watermark that was promised stays. */
  public Progress then(Progress later) {
    return new Progress(Math.max(watermark, later.watermark), later.idle);
  }
}
