package io.sedge.bench.parts;

import io.sedge.site.api.TaskStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where the shards of some jobs run. A shard counts from the first commit of its device on. */
final class ShardPlaces {
  private static final String DELIVERY = "delivery";

  private final String jobs;
  private final int devices;
  private final Map<String, Place> places = new TreeMap<>();
  private int moves;

  /**
   * @param commits as of when the shard was seen there first
   * @param works whether there have been more since
   */
  private record Place(String device, long commits, boolean works) {}

  /**
   * @param jobs what their names begin with
   */
  ShardPlaces(String jobs, int devices) {
    this.jobs = jobs;
    this.devices = devices;
  }

  /**
   * Takes the tasks as they are now.
   *
   * @return whether any shard has moved, or begun to work
   */
  boolean update(List<TaskStatus> tasks) {
    boolean changed = false;
    for (TaskStatus task : tasks) {
      boolean counts = task.job().startsWith(jobs) && !task.shard().equals(DELIVERY);
      if (counts && !task.device().isEmpty()) {
        changed |= update(task);
      }
    }
    return changed;
  }

  private boolean update(TaskStatus task) {
    Place place = places.get(task.job());
    if (place == null || !place.device().equals(task.device())) {
      moves += place == null ? 0 : 1;
      places.put(task.job(), new Place(task.device(), task.commits(), false));
      return true;
    }
    boolean begins = !place.works() && task.commits() > place.commits();
    if (begins) {
      places.put(task.job(), new Place(task.device(), task.commits(), true));
    }
    return begins;
  }

  /** How often shards have moved so far. */
  int moves() {
    return moves;
  }

  /** How many shards work where they are. */
  int working() {
    return (int) places.values().stream().filter(Place::works).count();
  }

  /** Shards of each device. */
  int[] counts() {
    int[] counts = new int[devices];
    for (int i = 0; i < devices; i++) {
      String name = ThrottledSite.name(i);
      counts[i] =
          (int) places.values().stream().filter(place -> place.device().equals(name)).count();
    }
    return counts;
  }
}
