package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.internal.Sessions.OfKey;
import io.sedge.engine.operator.internal.Sessions.Session;
import io.sedge.engine.operator.internal.WindowAggregates.WindowSetup;
import io.sedge.engine.plan.Window;
import io.sedge.engine.state.StateWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Session windows: a row opens the span from its time to the gap after it, and spans of a key that
 * overlap or touch are one session. A session fires when the watermark passes its end and is closed
 * then, or after the allowed lateness; a row is late if the session that it would belong to is
 * closed at the row's own watermark. Before a row could join a session that is over by its
 * watermark, what is due fires.
 */
final class SessionWindowOperator implements Operator {
  private final WindowSetup setup;
  private final long gap;
  private final Sessions sessions;
  private final WindowRows output;
  private final LateRows late;
  private final TimedRows timed;

  private int nextRow;

  /** The key slot of each row of the batch at hand; null before it is looked up. */
  private int @Nullable [] keyOfRow;

  private int[] rows = {};
  private int[] slots = {};
  private int waiting;
  private @Nullable Long firing;
  private @Nullable List<Due> due;
  private int nextDue;

  /** A session that fires, or is to be forgotten, or both. */
  private record Due(Session session, boolean fires, boolean closes) {}

  SessionWindowOperator(WindowSetup setup, Window.Session window, @Nullable Output late) {
    this.setup = setup;
    this.gap = window.gap();
    this.sessions = new Sessions(setup);
    this.output = setup.rows();
    this.late = new LateRows(late);
    this.timed = new TimedRows(setup.node.timeColumn());
  }

  @Override
  public long lateRows() {
    return late.total();
  }

  @Override
  public long nullTimeRows() {
    return timed.nullTimes();
  }

  @Override
  public boolean process(int input, Batch offered, Output target) {
    Batch batch = timed.of(offered);
    while (nextRow < batch.rows() || firing != null) {
      if (firing != null) {
        if (!fire(firing, target)) {
          return false;
        }
        firing = null;
        keyOfRow = null;
      }
      take(batch);
    }
    accumulate(batch);
    if (!late.flush(batch)) {
      return false;
    }
    timed.done();
    nextRow = 0;
    keyOfRow = null;
    return true;
  }

  private void take(Batch batch) {
    long[] times = ((LongColumn) batch.column(setup.node.timeColumn())).values();
    long[] watermarks = batch.watermarks();
    int[] keys = keysOf(batch);
    while (nextRow < batch.rows() && firing == null) {
      long watermark = sessions.progress();
      if (watermarks != null) {
        watermark = Math.max(watermark, watermarks[nextRow]);
      }
      take(batch, keys[nextRow], setup.clock.toLocal(times[nextRow]), watermark);
    }
  }

  private int[] keysOf(Batch batch) {
    if (keyOfRow == null) {
      int[] all = new int[batch.rows()];
      Arrays.setAll(all, i -> i);
      keyOfRow = new int[batch.rows()];
      sessions.keys().slots(batch, all, batch.rows(), keyOfRow);
      rows = new int[batch.rows()];
      slots = new int[batch.rows()];
    }
    return keyOfRow;
  }

  /** Takes the next row, or finds that windows must fire before it. */
  private void take(Batch batch, int key, long local, long watermark) {
    OfKey ofKey = sessions.ofKey(key);
    List<Session> near = Sessions.near(ofKey, local, local + gap);
    long end = local + gap;
    for (Session session : near) {
      end = Math.max(end, session.end);
      if (watermark > sessions.progress() && setup.clock.overAt(session.end) <= watermark) {
        accumulate(batch);
        firing = watermark;
        return;
      }
    }
    if (setup.closedAt(end) <= watermark) {
      late.add(nextRow++);
      return;
    }
    if (near.size() > 1) {
      accumulate(batch);
    }
    Session session = sessions.join(ofKey, near, local, local + gap);
    long over = setup.clock.overAt(session.end);
    session.again |= over <= sessions.progress() || over <= watermark;
    sessions.schedule(session);
    rows[waiting] = nextRow++;
    slots[waiting++] = session.slot;
  }

  private void accumulate(Batch batch) {
    sessions.accumulators().add(rows, slots, waiting, batch);
    waiting = 0;
  }

  @Override
  public boolean advance(long watermark, Output target) {
    return fire(watermark, target) && target.advance(watermark);
  }

  private boolean fire(long watermark, Output target) {
    if (due == null) {
      due = findDue(watermark);
    }
    while (nextDue < due.size()) {
      Due next = due.get(nextDue);
      if (next.fires() && !append(next, target)) {
        return false;
      }
      next.session().again = false;
      if (next.closes()) {
        sessions.remove(next.session());
      } else {
        sessions.change(next.session().ofKey);
      }
      nextDue++;
    }
    if (!output.flush(target)) {
      return false;
    }
    sessions.setProgress(Math.max(watermark, sessions.progress()));
    for (Due done : due) {
      if (!done.closes()) {
        sessions.schedule(done.session());
      }
    }
    due = null;
    nextDue = 0;
    sessions.compact();
    return true;
  }

  private boolean append(Due next, Output target) {
    Session session = next.session();
    return output.append(
        sessions.keys(),
        session.ofKey.key(),
        sessions.accumulators(),
        session.slot,
        setup.bounds(session.start, session.end),
        target);
  }

  /** The sessions to fire or forget at a watermark, in the order of their ends. */
  private List<Due> findDue(long watermark) {
    List<Due> found = new ArrayList<>();
    for (Session session = sessions.pollDue(watermark);
        session != null;
        session = sessions.pollDue(watermark)) {
      long over = setup.clock.overAt(session.end);
      boolean fires = over <= watermark && (over > sessions.progress() || session.again);
      found.add(new Due(session, fires, setup.closedAt(session.end) <= watermark));
    }
    found.sort(
        Comparator.<Due>comparingLong(next -> next.session().end)
            .thenComparingInt(next -> next.session().ofKey.key()));
    return found;
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    sessions.writeSnapshot(writer);
  }

  @Override
  public long changedEntries() {
    return sessions.changedEntries();
  }

  @Override
  public void writeChanges(StateWriter writer) {
    sessions.writeChanges(writer);
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    sessions.restore(entries);
  }

  @Override
  public void checkInvariants() {
    sessions.checkInvariants();
  }
}
