package io.sedge.placement;

/**
 * Why a device does not run a shard.
 *
 * @param device the device's name
 * @param reason the kind
 * @param text the same with figures, as a part of a sentence
 */
public record Refusal(String device, Reason reason, String text) {

  /** Kinds of refusals: the device cannot, or it could and another is better. */
  public enum Reason {
    /** It is gone. */
    GONE,
    /** It is being drained. */
    DRAINING,
    /** It may keep its shards but gets no other. */
    SUSPECT,
    /** It lacks a label that the shard demands. */
    LABEL,
    /** It says that it cannot run the shard. */
    UNFIT,
    /** It has no speed for the shard's algorithm: measured as 0, or no CPU share. */
    NO_SPEED,
    /** The shard alone needs more memory than the device has. */
    MEMORY_TOO_SMALL,
    /** The shard does not fit beside what runs there. */
    MEMORY_FULL,
    /** The makespan would be longer. */
    MAKESPAN_RISES,
    /** The makespan would stay as it is: another device is the fullest, or this one as full. */
    NO_GAIN,
    /** The makespan would fall, but by less than a move is worth. */
    NOT_WORTH_A_MOVE
  }
}
