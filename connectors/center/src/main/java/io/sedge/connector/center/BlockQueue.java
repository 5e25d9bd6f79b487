package io.sedge.connector.center;

import io.sedge.uplink.RowBlock;
import io.sedge.uplink.Uplink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The blocks of a table that the center does not have yet, oldest first. One thread adds, another
 * takes; bounded by bytes, but for one block, which always finds room in an empty queue.
 */
final class BlockQueue {
  private final long capacityBytes;
  private final Deque<RowBlock> blocks = new ArrayDeque<>();
  private long bytes;
  private long done;

  /** Blocks at the head that a request has, which cannot be dropped. */
  private int sending;

  /** How many of these are dropped if the center does not take them. */
  private int doomed;

  private long droppedRows;

  private boolean closed;

  /**
   * @param done the sequence up to which the center is known to have rows
   */
  BlockQueue(long capacityBytes, long done) {
    this.capacityBytes = capacityBytes;
    this.done = done;
  }

  synchronized boolean hasRoom() {
    return blocks.isEmpty() || bytes < capacityBytes;
  }

  synchronized void add(RowBlock block) {
    blocks.add(block);
    bytes += block.size();
    notifyAll();
  }

  /**
   * Drops the oldest blocks until there is room. Those that a request has go with it: they stay if
   * the center takes them, and are dropped if not, since younger ones were.
   */
  synchronized void dropOldest() {
    List<RowBlock> underway = new ArrayList<>();
    for (int i = 0; i < sending; i++) {
      underway.add(blocks.removeFirst());
    }
    while (!blocks.isEmpty() && bytes >= capacityBytes) {
      drop();
      doomed = sending;
    }
    for (RowBlock block : underway.reversed()) {
      blocks.addFirst(block);
    }
  }

  private void drop() {
    RowBlock oldest = blocks.removeFirst();
    bytes -= oldest.size();
    droppedRows += oldest.rows();
    done = Math.max(done, oldest.last());
  }

  /** The rows of blocks that were dropped. */
  synchronized long droppedRows() {
    return droppedRows;
  }

  /**
   * Waits until there is a block.
   *
   * @return the oldest ones, at least one, which stay; empty when it is closed and has none
   */
  synchronized List<RowBlock> await(int maxBytes) throws InterruptedException {
    while (blocks.isEmpty() && !closed) {
      wait();
    }
    List<RowBlock> some = new ArrayList<>();
    int size = 0;
    for (RowBlock block : blocks) {
      boolean full = some.size() == Uplink.MAX_BLOCKS || size + block.size() > maxBytes;
      if (!some.isEmpty() && full) {
        break;
      }
      some.add(block);
      size += block.size();
    }
    sending = some.size();
    return some;
  }

  /** The center has those that were given last, and all before. */
  synchronized void sent() {
    for (; sending > 0; sending--) {
      RowBlock block = blocks.removeFirst();
      bytes -= block.size();
      done = Math.max(done, block.last());
    }
    doomed = 0;
  }

  /** The center does not have those that were given last. */
  synchronized void failed() {
    sending = 0;
    for (; doomed > 0; doomed--) {
      drop();
    }
  }

  /** The sequence up to which nothing waits. */
  synchronized long done() {
    return blocks.isEmpty() ? done : blocks.getFirst().first() - 1;
  }

  synchronized long waitingBytes() {
    return bytes;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** No more will come. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
