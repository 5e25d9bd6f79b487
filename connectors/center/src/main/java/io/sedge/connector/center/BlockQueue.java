package io.sedge.connector.center;

import io.sedge.uplink.RowBlock;
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

  /** Takes away blocks that are not on their way, oldest first, until there is room; their rows. */
  synchronized long dropOldest() {
    long rows = 0;
    List<RowBlock> under = new ArrayList<>();
    for (int i = 0; i < sending; i++) {
      under.add(blocks.removeFirst());
    }
    while (!blocks.isEmpty() && bytes >= capacityBytes) {
      RowBlock oldest = blocks.removeFirst();
      bytes -= oldest.size();
      rows += oldest.rows();
    }
    for (RowBlock block : under.reversed()) {
      blocks.addFirst(block);
    }
    return rows;
  }

  /**
   * Waits until there is a block.
   *
   * @return the oldest ones, at least one, which stay; empty when it is closed
   */
  synchronized List<RowBlock> await(int maxBytes) throws InterruptedException {
    while (blocks.isEmpty() && !closed) {
      wait();
    }
    List<RowBlock> some = new ArrayList<>();
    int size = 0;
    for (RowBlock block : blocks) {
      if (closed || (!some.isEmpty() && size + block.size() > maxBytes)) {
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
      done = block.last();
    }
  }

  /** The center does not have those that were given last. */
  synchronized void failed() {
    sending = 0;
  }

  /** The sequence up to which nothing waits. */
  synchronized long done() {
    return blocks.isEmpty() ? done : Math.max(done, blocks.getFirst().first() - 1);
  }

  synchronized long waitingBytes() {
    return bytes;
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
