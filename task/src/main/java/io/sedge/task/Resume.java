package io.sedge.task;

import java.util.List;
import java.util.Map;

/**
 * What a job goes on from.
 *
 * @param positions how far each source had been read; sources that are not named begin afresh
 * @param state all entries, or none for a job that begins
 */
public record Resume(Map<String, byte[]> positions, List<Map.Entry<byte[], byte[]>> state) {
  /** The beginning. */
  public static final Resume NOTHING = new Resume(Map.of(), List.of());

  public Resume {
    positions = Map.copyOf(positions);
    state = List.copyOf(state);
  }
}
