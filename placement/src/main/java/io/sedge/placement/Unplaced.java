package io.sedge.placement;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A shard that no device can take.
 *
 * @param shard which
 * @param staysOn the draining device that goes on running it until another can; null if none
 * @param refusals why not, one for each device of the site
 */
public record Unplaced(ShardId shard, @Nullable String staysOn, List<Refusal> refusals) {

  /** Copies the list. */
  public Unplaced {
    refusals = List.copyOf(refusals);
  }

  /** One sentence for people. */
  public String text() {
    return "shard " + shard + " " + why();
  }

  /** The same as a part of a sentence. */
  public String why() {
    String why =
        refusals.isEmpty()
            ? "the site has no device"
            : refusals.stream()
                .map(refusal -> refusal.device() + " " + refusal.text())
                .collect(Collectors.joining("; "));
    return staysOn == null
        ? "runs nowhere: " + why
        : "stays on " + staysOn + ", which is being drained: " + why;
  }
}
