package io.sedge.alarm;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The alarms of one table, its journal, and how far its rows have come. */
public final class AlarmTable {
  /** Entries of the journal that are kept; the last ones. */
  public static final int MAX_CHANGES = 500;

  final String job;
  final String name;
  AlarmPriority priority;
  long position;
  long applied;
  long changes;
  long refused;
  final NavigableMap<String, Alarm> alarms = new TreeMap<>();
  final Deque<AlarmChange> journal = new ArrayDeque<>();
  final NavigableMap<String, NoticeMark> marks = new TreeMap<>();

  AlarmTable(String job, String name, AlarmPriority priority) {
    this.job = job;
    this.name = name;
    this.priority = priority;
  }

  /** The sequence up to which whole batches of rows are in it; 0 for none. */
  public long position() {
    return position;
  }

  /** The sequence up to which rows are in it. */
  public long applied() {
    return applied;
  }

  /** Those that are not normal, and those that wait to be raised; by key. */
  public Collection<Alarm> alarms() {
    return Collections.unmodifiableCollection(alarms.values());
  }

  public Optional<Alarm> alarm(String key) {
    return Optional.ofNullable(alarms.get(key));
  }

  /** The number of the last entry of the journal; 0 before the first. */
  public long lastChange() {
    return changes;
  }

  /** Entries of the journal with a higher number, as far as they are kept, in order. */
  public List<AlarmChange> changesAfter(long number) {
    return journal.stream().filter(change -> change.number() > number).toList();
  }

  /** How far a way of telling people has come; empty if it has not begun. */
  public Optional<NoticeMark> mark(String way) {
    return Optional.ofNullable(marks.get(way));
  }

  /** The ways of telling people that have begun. */
  public Set<String> ways() {
    return Collections.unmodifiableSet(marks.keySet());
  }

  /** Alarms that were not taken in since there was no room. */
  public long refused() {
    return refused;
  }

  void put(Alarm alarm) {
    if (alarm.isKept()) {
      alarms.put(alarm.key(), alarm);
    } else {
      alarms.remove(alarm.key());
    }
  }

  void note(Alarm after, AlarmEvent event, long atMillis, String by, String note) {
    changes++;
    journal.addLast(
        new AlarmChange(
            changes,
            after.id(),
            after.key(),
            atMillis,
            event,
            after.state(),
            after.value(),
            after.message(),
            by,
            note));
    if (journal.size() > MAX_CHANGES) {
      journal.removeFirst();
    }
  }

  void mark(Map<String, NoticeMark> given) {
    marks.putAll(given);
    while (marks.size() > AlarmBatch.MAX_MARKS) {
      marks.pollLastEntry();
    }
  }
}
