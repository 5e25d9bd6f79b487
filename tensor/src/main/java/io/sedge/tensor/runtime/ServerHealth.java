package io.sedge.tensor.runtime;

/**
 * How the process of a server is.
 *
 * @param state what it does now
 * @param pid the process, or the last one there was; 0 if there was none
 * @param restarts how often it was started again
 * @param lastEnd how the last process that ended did so, in words; empty if none did
 */
public record ServerHealth(State state, long pid, int restarts, String lastEnd) {
  /**
   * What the process does. From STARTING it goes to SERVING, PAUSING or FAILED; from SERVING to
   * PAUSING or FAILED; from PAUSING to STARTING; from each to CLOSED.
   */
  public enum State {
    /** The process starts and does not serve yet. */
    STARTING,
    /** It serves. */
    SERVING,
    /** It has ended, and will be started again. */
    PAUSING,
    /** It has ended, or never served, and will not be started again. */
    FAILED,
    /** It was ended by its owner. */
    CLOSED
  }
}
