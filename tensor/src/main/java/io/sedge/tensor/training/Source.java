package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.PerWorkerValues;
import io.sedge.tensor.training.cluster.WorkerIterator;
import io.sedge.tensor.training.data.Batches;
import java.util.List;

/** Where the examples of a gradient come from. For any number of threads. */
interface Source {
  /** The examples of one gradient. */
  interface Portion {
    /** What is fed for them; nothing where the worker reads them. */
    BatchFeeds.Fed feeds();

    /** How many they are; 0 if only the worker knows. */
    int examples();
  }

  /** How many gradients make a step of synchronous training. */
  int shards();

  /**
   * The next examples of a shard.
   *
   * @param isTogether whether the gradients of all shards make one step
   */
  Portion next(int shard, boolean isTogether);

  /** Arguments of a function that uses them. */
  List<Object> arguments();

  /** Batches that the chief has and feeds: the same ones when a gradient is computed again. */
  record Feeding(BatchFeeds<?> feeds, Batches batches) implements Source {
    @Override
    public int shards() {
      return batches.shards();
    }

    @Override
    public Portion next(int shard, boolean isTogether) {
      Batches.Batch batch = batches.next(shard);
      int count = batch.examples().length;
      double divisor = isTogether ? batches.nominalSize() : count;
      return new Portion() {
        @Override
        public BatchFeeds.Fed feeds() {
          return feeds.of(batch, divisor);
        }

        @Override
        public int examples() {
          return count;
        }
      };
    }

    @Override
    public List<Object> arguments() {
      return List.of();
    }
  }

  /** What the worker reads next, whichever it is. */
  record Reading(PerWorkerValues<WorkerIterator> iterators, int shards) implements Source {
    private static final Portion NEXT =
        new Portion() {
          @Override
          public BatchFeeds.Fed feeds() {
            return new BatchFeeds.Fed(List.of(), List.of());
          }

          @Override
          public int examples() {
            return 0;
          }
        };

    @Override
    public Portion next(int shard, boolean isTogether) {
      return NEXT;
    }

    @Override
    public List<Object> arguments() {
      return List.of(iterators);
    }
  }
}
