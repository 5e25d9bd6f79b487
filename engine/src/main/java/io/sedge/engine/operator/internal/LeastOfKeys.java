package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The least of the watermarks of the keys that are heard: one whose clock is ahead makes no row of
 * the others late. What Flink does with the partitions of a source (WatermarkOutputMultiplexer) it
 * does with the keys in them: one that comes back counts at once, and the common watermark stands
 * still until it has caught up.
 *
 * <p>A key is no longer waited for once the others went on for {@code idleAfter} while its own
 * watermark did not rise, as when it is silent or its clock was set back. How far they went on is
 * counted in event time, so that it does not depend on how fast rows come: it is what the key that
 * rose most has risen, of which no single step counts more than half of {@code idleAfter}. So a
 * clock that is set forward by an hour is not taken for an hour without the others. Nor is a key
 * waited for that is behind the greatest watermark by more than {@link #FARTHEST_BEHIND}.
 *
 * <p>For the first {@code idleAfter} there is no watermark: all keys are still to become known.
 */
final class LeastOfKeys implements WatermarkGenerator {
  /** So many keys are waited for at most; of more, those that came first. */
  static final int MOST_KEYS = 10_000;

  /** By so much the common watermark may be behind the greatest one; one hour. */
  static final long FARTHEST_BEHIND = 3_600_000_000L;

  private static final byte[] COMMON = {};
  private static final byte KEY = 1;

  /** A key that is waited for; {@link #due} is its watermark. */
  private static final class Heard extends TimedHeap.Timed {
    private final ObjectsByKey.Key key;

    /** How far it has risen, on the scale of {@link #progress}. */
    private long risen;

    /** Where {@link #progress} stood when its watermark rose last. */
    private long at;

    /** Whether it is among those that changed. */
    private boolean dirty;

    Heard(ObjectsByKey.Key key) {
      this.key = key;
    }
  }

  private final ObjectsByKey<Heard> keys;
  private final TimedHeap<Heard> heap = new TimedHeap<>();
  private final List<Heard> changed = new ArrayList<>();
  private final long idleAfter;

  private long watermark = Long.MIN_VALUE;
  private long greatest = Long.MIN_VALUE;

  /** How far the rows have gone on since the first one. */
  private long progress;

  /** Whether one of the three is another one than was written. */
  private boolean moved;

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
    if (own > greatest) {
      greatest = own;
      moved = true;
    }
    Heard key = keys.find(batch, row);
    if (key == null) {
      if (isFarBehind(own) || keys.size() == MOST_KEYS) {
        return;
      }
      key = keys.at(batch, row);
      key.risen = progress;
    } else if (own > key.due()) {
      key.risen = Math.max(key.risen, progress - idleAfter) + step(own - key.due());
      if (key.risen > progress) {
        progress = key.risen;
        moved = true;
      }
    } else {
      return;
    }
    key.at = progress;
    heap.queue(key, own, 0);
    change(key);
  }

  private boolean isFarBehind(long own) {
    return own < greatest - FARTHEST_BEHIND;
  }

  /** What counts of a step; one that is too long for a long is long. */
  private long step(long micros) {
    long most = Math.max(1, idleAfter / 2);
    return micros < 0 || micros > most ? most : micros;
  }

  private void change(Heard key) {
    if (!key.dirty) {
      key.dirty = true;
      changed.add(key);
    }
  }

  private void settle() {
    if (progress < idleAfter) {
      return;
    }
    Heard least = heap.first();
    while (least != null && (progress - least.at > idleAfter || isFarBehind(least.due()))) {
      heap.remove(least);
      keys.remove(least.key);
      change(least);
      least = heap.first();
    }
    if (least != null && least.due() > watermark) {
      watermark = least.due();
      moved = true;
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
    if (greatest != Long.MIN_VALUE) {
      writer.put(COMMON, longs(watermark, greatest, progress));
    }
    keys.all().forEach(key -> put(key, writer));
  }

  @Override
  public void writeChanges(StateWriter writer) {
    if (moved) {
      moved = false;
      writer.put(COMMON, longs(watermark, greatest, progress));
    }
    for (Heard key : changed) {
      key.dirty = false;
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
        greatest = value.getLong();
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
