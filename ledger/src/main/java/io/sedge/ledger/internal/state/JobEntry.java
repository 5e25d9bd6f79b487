package io.sedge.ledger.internal.state;

import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Limits;
import io.sedge.ledger.OutboxEntry;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import java.util.Map;
import java.util.TreeMap;

/** A job and its outbox, as they change. */
final class JobEntry {
  final String name;
  String script;
  long version = 1;
  JobState state = JobState.RUNNING;
  String detail = "";
  long nextRow = 1;
  long acknowledgedRow;

  /** By the sequence of the last row. */
  final TreeMap<Long, OutboxEntry> outbox = new TreeMap<>();

  long outboxBytes;

  JobEntry(String name, String script) {
    this.name = name;
    this.script = script;
  }

  static long counted(Rows rows) {
    return rows.bytes().length + (long) Limits.ENTRY_OVERHEAD;
  }

  void append(TaskId task, Rows rows) {
    add(new OutboxEntry(task, nextRow, rows));
    nextRow += rows.count();
  }

  void add(OutboxEntry entry) {
    outbox.put(entry.last(), entry);
    outboxBytes += counted(entry.rows());
  }

  /** Removes blocks all of whose rows are acknowledged; how many bytes that frees. */
  long acknowledge(long upTo) {
    long before = outboxBytes;
    acknowledgedRow = Math.max(acknowledgedRow, upTo);
    Map<Long, OutboxEntry> acknowledged = outbox.headMap(acknowledgedRow, true);
    acknowledged.values().forEach(entry -> outboxBytes -= counted(entry.rows()));
    acknowledged.clear();
    return before - outboxBytes;
  }

  Job view() {
    return new Job(name, script, version, state, detail, nextRow, acknowledgedRow);
  }
}
