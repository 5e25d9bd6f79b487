package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The least of the watermarks of the keys that are heard: one whose clock is ahead makes no row of
 * the others late. What Flink does with the partitions of a source (WatermarkOutputMultiplexer) it
 * does with the keys in them.
 *
 * <p>A key is no longer waited for once the others went on for {@code idleAfter} without it. How
 * far they went on is counted in event time, so that it does not depend on how fast rows come: it
 * is what the key that rose most has risen, of which no single step counts more than half of {@code
 * idleAfter}. So a clock that is set forward by an hour is not taken for an hour without the
 * others. For the first {@code idleAfter} there is no watermark: all keys are still to become
 * known. A key that comes (back) with a watermark below the common one is not waited for until it
 * has caught up.
 */
final class LeastOfKeys implements WatermarkGenerator {
  /** So many keys are waited for at most; of more, those that came first. */
  static final int MOST_KEYS = 10_000;

  private static final byte[] COMMON = {};
  private static final byte KEY = 1;

  /** A key that is waited for; {@link #due} is its watermark. */
  private static final class Heard extends TimedHeap.Timed {
    private final ObjectsByKey.Key key;

    /** How far it has risen, on the scale of {@link #progress}. */
    private long risen;

    /** Where {@link #progress} stood when its last row came. */
    private long at;

    Heard(ObjectsByKey.Key key) {
      this.key = key;
    }
  }

  private final ObjectsByKey<Heard> keys;
  private final TimedHeap<Heard> heap = new TimedHeap<>();
  private final Set<Heard> changed = new LinkedHashSet<>();
  private final long idleAfter;

  private long watermark = Long.MIN_VALUE;

  /** How far the rows have gone on since the first one. */
  private long progress;

  LeastOfKeys(PlanNode.Watermark.PerKey plan, Schema schema) {
    this.keys = new ObjectsByKey<>(List.of(plan.column()), schema, Heard::new);
    this.idleAfter = plan.idleAfter();
  }

  @Override
  public Batch mark(Batch batch, LongColumn own) {
    long[] marks = new long[batch.rows()];
    long[] values = own.values();
    for (int i = 0; i < marks.length; i++) {
      marks[i] = watermark;
      if (!own.isNull(i)) {
        hear(batch, i, values[i]);
        settle();
      }
    }
    return batch.withWatermarks(marks);
  }

  private void hear(Batch batch, int row, long own) {
    Heard key = keys.find(batch, row);
    if (key == null) {
      if (own < watermark || keys.size() == MOST_KEYS) {
        return;
      }
      key = keys.at(batch, row);
      key.risen = progress;
      heap.queue(key, own, 0);
    } else if (own > key.due()) {
      key.risen += Math.min(own - key.due(), idleAfter / 2);
      progress = Math.max(progress, key.risen);
      heap.queue(key, own, 0);
    }
    key.at = progress;
    changed.add(key);
  }

  private void settle() {
    if (progress < idleAfter) {
      return;
    }
    Heard least = heap.first();
    while (least != null && progress - least.at > idleAfter) {
      heap.remove(least);
      keys.remove(least.key);
      changed.add(least);
      least = heap.first();
    }
    if (least != null) {
      watermark = Math.max(watermark, least.due());
    }
  }

  @Override
  public long current() {
    return watermark;
  }

  @Override
  public long changedEntries() {
    return changed.size();
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    if (keys.size() > 0) {
      writer.put(COMMON, longs(watermark, progress));
    }
    keys.all().forEach(key -> put(key, writer));
  }

  @Override
  public void writeChanges(StateWriter writer) {
    if (changed.isEmpty()) {
      return;
    }
    writer.put(COMMON, longs(watermark, progress));
    for (Heard key : changed) {
      if (key.isQueued()) {
        put(key, writer);
      } else {
        writer.remove(key.key.tagged(KEY));
      }
    }
    changed.clear();
  }

  private static void put(Heard key, StateWriter writer) {
    writer.put(key.key.tagged(KEY), longs(key.due(), key.risen, key.at));
  }

  private static byte[] longs(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      ByteBuffer value = ByteBuffer.wrap(entry.getValue());
      if (entry.getKey().length == 0) {
        watermark = value.getLong();
        progress = value.getLong();
      } else {
        Heard key = keys.at(ObjectsByKey.Key.untagged(entry.getKey()));
        heap.queue(key, value.getLong(), 0);
        key.risen = value.getLong();
        key.at = value.getLong();
      }
    }
  }
}
