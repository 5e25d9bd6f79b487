package io.sedge.placement.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes room for shards that fit nowhere as things are: other shards of a device go elsewhere, the
 * fewest first. One step deep: a shard that gives way does not push others away in its turn. So it
 * may fail where a perfect packing exists (bin packing is NP-hard).
 */
final class MemoryRepair {
  /** How many shards room is made for in one plan. */
  private static final int MOST_SHARDS = 100;

  private MemoryRepair() {}

  static void run(Assignment assignment, List<Integer> homeless, boolean[] open) {
    int tried = 0;
    for (int shard : homeless) {
      if (!assignment.isPlaced(shard) && tried++ < MOST_SHARDS) {
        makeRoom(assignment, shard, open);
      }
    }
    assignment.settleLevels();
  }

  private static void makeRoom(Assignment assignment, int shard, boolean[] open) {
    Instance instance = assignment.instance;
    List<Integer> devices = new ArrayList<>();
    for (int d = 0; d < open.length; d++) {
      if (open[d] && instance.mayTake(shard, d)) {
        devices.add(d);
      }
    }
    devices.sort(Comparator.comparingLong(d -> -assignment.free(d)));
    for (int device : devices) {
      if (assignment.fits(shard, device) || pushOut(assignment, shard, device, open)) {
        assignment.put(shard, device);
        return;
      }
    }
  }

  private static boolean pushOut(Assignment assignment, int shard, int device, boolean[] open) {
    Instance instance = assignment.instance;
    long needed = instance.memory(shard) - assignment.free(device);
    List<Integer> members = new ArrayList<>();
    for (int k = 0; k < assignment.count(device); k++) {
      members.add(assignment.member(device, k));
    }
    // Those that do alone, smallest first; then the others, largest first.
    members.sort(
        Comparator.<Integer>comparingInt(s -> instance.memory(s) >= needed ? 0 : 1)
            .thenComparingLong(
                s -> instance.memory(s) >= needed ? instance.memory(s) : -instance.memory(s))
            .thenComparing(Comparator.naturalOrder()));
    List<Integer> gone = new ArrayList<>();
    for (int member : members) {
      int to = instance.memory(member) == 0 ? -1 : roomiest(assignment, member, device, open);
      if (to >= 0) {
        assignment.move(member, to);
        gone.add(member);
        if (assignment.free(device) >= instance.memory(shard)) {
          return true;
        }
      }
    }
    gone.forEach(member -> assignment.move(member, device));
    return false;
  }

  private static int roomiest(Assignment assignment, int shard, int without, boolean[] open) {
    int best = -1;
    for (int d = 0; d < open.length; d++) {
      if (d != without
          && open[d]
          && assignment.fits(shard, d)
          && (best < 0 || assignment.free(d) > assignment.free(best))) {
        best = d;
      }
    }
    return best;
  }
}
