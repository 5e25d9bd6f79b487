package io.sedge.tensor.training.cluster;

/**
 * Which parameter server the next variable, or piece of one, goes to. Asked in the order in which
 * variables are made; not for several threads at once.
 */
interface VariablePlacer {
  /** The task for so many bytes. */
  int place(long bytes);

  /** As TensorFlow does: one after the other, whatever their size. */
  static VariablePlacer roundRobin(int tasks) {
    int[] next = new int[1];
    return bytes -> Math.floorMod(next[0]++, tasks);
  }

  /** To the one that has the fewest bytes so far; to the first of several. */
  static VariablePlacer bySize(int tasks) {
    long[] load = new long[tasks];
    return bytes -> {
      int least = 0;
      for (int task = 1; task < tasks; task++) {
        if (load[task] < load[least]) {
          least = task;
        }
      }
      load[least] += bytes;
      return least;
    };
  }
}
