package io.sedge.placement;

import java.util.List;
import java.util.Map;

/**
 * Where each shard shall run. Compared with {@code Site.running()} it differs by {@code moves} and
 * nothing else; each shard of the site is in {@code places} or in {@code unplaced}.
 *
 * @param places shard to device
 * @param moves what changes, in the order of the shards' names
 * @param unplaced shards that no device can run, with the reasons
 * @param devices what each device gets, by name; devices that are gone included, with nothing
 * @param makespan T = max over devices of load/speed, as planned
 * @param makespanWithoutMoves T if the shards that can stay stayed, and those that must move went
 *     where the plan puts them; equal to {@code makespan} if none moves for balance
 * @param lowerBound no assignment of these shards has a smaller T
 */
public record Plan(
    Map<ShardId, String> places,
    List<Move> moves,
    List<Unplaced> unplaced,
    List<DeviceLoad> devices,
    double makespan,
    double makespanWithoutMoves,
    double lowerBound) {

  /** Copies the collections. */
  public Plan {
    places = Map.copyOf(places);
    moves = List.copyOf(moves);
    unplaced = List.copyOf(unplaced);
    devices = List.copyOf(devices);
  }

  /** How far the makespan is above the bound; 0.02 is 2 %. 0 if there is nothing to run. */
  public double gap() {
    return lowerBound > 0 ? makespan / lowerBound - 1 : 0;
  }
}
