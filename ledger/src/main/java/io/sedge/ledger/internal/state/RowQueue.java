package io.sedge.ledger.internal.state;

import io.sedge.ledger.Limits;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows of one channel of a job that are not acknowledged. */
final class RowQueue {
  long firstRow;
  long nextRow;
  long acknowledgedRow;

  /** By the sequence of the last row. */
  final TreeMap<Long, RowBlock> blocks = new TreeMap<>();

  long bytes;

  /** Of {@link #bytes} those of each task that has any. */
  final Map<TaskId, Long> bytesByTask = new TreeMap<>();

  RowQueue(long before) {
    firstRow = before + 1;
    nextRow = firstRow;
    acknowledgedRow = before;
  }

  static long counted(Rows rows) {
    return rows.bytes().length + (long) Limits.ENTRY_OVERHEAD;
  }

  void append(TaskId task, Rows rows) {
    add(new RowBlock(task, nextRow, rows));
    nextRow += rows.count();
  }

  void add(RowBlock block) {
    blocks.put(block.last(), block);
    long added = counted(block.rows());
    bytes += added;
    bytesByTask.merge(block.task(), added, Long::sum);
  }

  private void subtract(RowBlock block) {
    long removed = counted(block.rows());
    bytes -= removed;
    bytesByTask.computeIfPresent(
        block.task(), (_, before) -> before == removed ? null : before - removed);
  }

  /** Removes blocks all of whose rows are acknowledged; how many bytes that frees. */
  long acknowledge(long upTo) {
    long before = bytes;
    acknowledgedRow = Math.max(acknowledgedRow, upTo);
    Map<Long, RowBlock> acknowledged = blocks.headMap(acknowledgedRow, true);
    acknowledged.values().forEach(this::subtract);
    acknowledged.clear();
    return before - bytes;
  }

  /** Removes blocks of one task all of whose rows are acknowledged; how many bytes that frees. */
  long acknowledge(TaskId task, long upTo) {
    if (!bytesByTask.containsKey(task)) {
      return 0;
    }
    long before = bytes;
    Iterator<RowBlock> upToIt = blocks.headMap(upTo, true).values().iterator();
    while (upToIt.hasNext()) {
      RowBlock block = upToIt.next();
      if (block.task().equals(task)) {
        subtract(block);
        upToIt.remove();
      }
    }
    return before - bytes;
  }

  /** Renames tables, and removes the rows of those that have no other name. */
  void rename(Map<String, String> tables) {
    List<RowBlock> before = List.copyOf(blocks.values());
    blocks.clear();
    bytes = 0;
    bytesByTask.clear();
    for (RowBlock block : before) {
      Rows rows = block.rows();
      String table = tables.get(rows.table());
      if (table != null) {
        Rows renamed = new Rows(rows.channel(), table, rows.count(), rows.bytes());
        add(new RowBlock(block.task(), block.sequence(), renamed));
      }
    }
  }

  /** As {@link io.sedge.ledger.SiteState#rows}. */
  List<RowBlock> after(long after, int maxBytes) {
    List<RowBlock> rows = new ArrayList<>();
    long sum = 0;
    for (RowBlock next : blocks.tailMap(after, false).values()) {
      sum += next.rows().bytes().length;
      if (sum > maxBytes && !rows.isEmpty()) {
        break;
      }
      rows.add(next);
    }
    return rows;
  }
}
