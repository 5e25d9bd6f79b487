package io.sedge.learning.training;

import io.sedge.learning.Reference;
import java.util.List;
import java.util.Optional;

/**
 * What a training gives.
 *
 * @param rows from how many rows it was found
 * @param metrics on rows held out
 * @param unit what distances were measured in
 * @param reference what the rows looked like; empty if a device could not be asked for that
 * @param rounds how often all devices went over their rows
 * @param notes what people should know: a line each
 */
public record Trained(
    FittedModel model,
    long rows,
    Metrics metrics,
    Scaling unit,
    Optional<Reference> reference,
    int rounds,
    List<String> notes) {
  public Trained {
    notes = List.copyOf(notes);
  }
}
