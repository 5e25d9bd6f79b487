package io.sedge.placement;

import org.jspecify.annotations.Nullable;

/**
 * A shard that shall run elsewhere than it runs now.
 *
 * @param shard which
 * @param from where it runs now; null if nowhere
 * @param to where it shall run
 * @param reason why
 * @param seconds its price; 0 if it runs nowhere
 */
public record Move(ShardId shard, @Nullable String from, String to, Reason reason, double seconds) {

  /** Why a shard moves. */
  public enum Reason {
    /** It runs nowhere yet. */
    START("it did not run yet"),
    /** Its device is gone. */
    GONE("its device is gone"),
    /** Its device is being drained. */
    DRAINING("its device is being drained"),
    /** Its device lacks a label that it demands, by now. */
    LABEL("its device lacks a label that it demands"),
    /** Its device says that it cannot run it. */
    UNFIT("its device cannot run it"),
    /** Its device cannot run its algorithm, by now. */
    NO_SPEED("its device has no speed left for it"),
    /** The shards of its device need more memory than the device has. */
    MEMORY("the memory of its device does not do"),
    /** The makespan falls. */
    BALANCE("the makespan falls");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** As a part of a sentence. */
    public String text() {
      return text;
    }
  }
}
