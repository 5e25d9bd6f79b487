package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * What a device answers to a {@link TrainingStep}.
 *
 * @param done whether it is an answer; else ask again: it is not there yet
 * @param rows how many rows the device has for the training by now
 * @param leftOut how many rows had a value that is none
 * @param firstMillis the time of the earliest row
 * @param lastMillis the time of the latest row
 * @param behind how many rows are behind the sums
 * @param sums what leaves the device: numbers of eight bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
public record TrainingReply(
    boolean done,
    long rows,
    long leftOut,
    long firstMillis,
    long lastMillis,
    long behind,
    byte[] sums) {
  public TrainingReply {
    requireNonNull(sums, "no sums");
  }
}
