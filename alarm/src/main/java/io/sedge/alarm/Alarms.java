package io.sedge.alarm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * All alarms of a site or of a run. The same calls in the same order give the same alarms and the
 * same bytes, wherever they are made. Of one thread at a time.
 */
public final class Alarms implements AlarmView {
  /** How many are kept, of all tables together. A new one beyond is refused and counted. */
  public static final int MAX_ALARMS = 10_000;

  /** How many tables there may be. */
  public static final int MAX_TABLES = 64;

  final NavigableMap<TableName, AlarmTable> tables = new TreeMap<>();
  final AlarmFlood flood = new AlarmFlood();
  long lastId;
  long changes;

  /** Names a table. */
  record TableName(String job, String table) implements Comparable<TableName> {
    @Override
    public int compareTo(TableName other) {
      int byJob = job.compareTo(other.job);
      return byJob != 0 ? byJob : table.compareTo(other.table);
    }
  }

  /**
   * Carries out what a table's sink says.
   *
   * @return false if there are too many tables; then nothing has changed
   */
  public boolean apply(String job, AlarmBatch batch) {
    TableName name = new TableName(job, batch.table());
    AlarmTable table = tables.get(name);
    if (table == null) {
      if (tables.size() >= MAX_TABLES) {
        return false;
      }
      table = new AlarmTable(job, batch.table(), batch.priority());
      tables.put(name, table);
    }
    if (table.priority != batch.priority()) {
      table.priority = batch.priority();
      table.alarms.replaceAll((_, alarm) -> alarm.with(batch.priority()));
      changes++;
    }
    table.position = Math.max(table.position, batch.position());
    table.applied = Math.max(table.applied, batch.applied());
    table.mark(batch.marks());
    int kept = size();
    for (AlarmReport report : batch.reports()) {
      kept += apply(table, report, batch.atMillis(), kept < MAX_ALARMS);
    }
    return true;
  }

  private int size() {
    return tables.values().stream().mapToInt(table -> table.alarms.size()).sum();
  }

  /** Returns by how many alarms there are more. */
  private int apply(AlarmTable table, AlarmReport report, long atMillis, boolean hasRoom) {
    Alarm known = table.alarms.get(report.key());
    if (known == null && report.event() != AlarmEvent.RAISE && report.event() != AlarmEvent.WAIT) {
      return 0;
    }
    if (known == null && !hasRoom) {
      table.refused++;
      changes++;
      return 0;
    }
    Alarm before =
        known == null
            ? Alarm.normal(++lastId, table.job, table.name, table.priority, report.key())
            : known;
    Optional<AlarmState> next = before.state().after(report.event());
    boolean shelvedAnew =
        report.event() == AlarmEvent.UNSHELVE && report.dueMillis() != before.shelvedUntilMillis();
    if (next.isEmpty() || shelvedAnew) {
      return 0; // Somebody was quicker: it is not shelved any more, or anew.
    }
    Alarm after = before.after(report, next.get(), atMillis);
    table.put(after);
    if (after.state() != before.state()) {
      changes++;
      table.note(after, report.event(), atMillis, "", "");
      if (after.state() == AlarmState.UNACKNOWLEDGED && report.event() == AlarmEvent.RAISE) {
        flood.raise(atMillis);
      }
    }
    return (after.isKept() ? 1 : 0) - (known == null ? 0 : 1);
  }

  /**
   * Carries out what a person does, to those alarms that are there and that it can happen to.
   *
   * @return how many that were
   */
  public int apply(AlarmAction action) {
    Map<Long, Alarm> byId = new TreeMap<>();
    tables.values().forEach(table -> table.alarms.values().forEach(one -> byId.put(one.id(), one)));
    int done = 0;
    for (AlarmAction.Target target : action.targets()) {
      Alarm alarm = byId.get(target.id());
      if (alarm != null && (target.raised() == 0 || target.raised() == alarm.raised())) {
        done += apply(alarm, action) ? 1 : 0;
      }
    }
    return done;
  }

  private boolean apply(Alarm before, AlarmAction action) {
    Optional<AlarmState> next = before.state().after(action.event());
    AlarmTable table = tables.get(new TableName(before.job(), before.table()));
    boolean repeats =
        action.event() == AlarmEvent.ACKNOWLEDGE && next.equals(Optional.of(before.state()));
    if (next.isEmpty() || table == null || repeats) {
      return false;
    }
    Alarm after = before.after(action, next.get());
    table.put(after);
    table.note(after, action.event(), action.atMillis(), action.by(), action.note());
    changes++;
    return true;
  }

  /** Forgets the tables of a job, but for some. */
  public void keepTables(String job, Collection<String> kept) {
    if (tables.keySet().removeIf(one -> one.job().equals(job) && !kept.contains(one.table()))) {
      changes++;
    }
  }

  @Override
  public AlarmTable table(String job, String table) {
    AlarmTable known = tables.get(new TableName(job, table));
    return known == null ? new AlarmTable(job, table, AlarmPriority.LOW) : known;
  }

  @Override
  public List<Alarm> list() {
    List<Alarm> all = new ArrayList<>();
    for (AlarmTable table : tables.values()) {
      for (Alarm alarm : table.alarms.values()) {
        if (alarm.state() != AlarmState.NORMAL) {
          all.add(alarm);
        }
      }
    }
    all.sort(Alarm.BY_URGENCY);
    return all;
  }

  @Override
  public long changes() {
    return changes;
  }

  @Override
  public List<String> tables(String job) {
    return tables.keySet().stream()
        .filter(name -> name.job().equals(job))
        .map(TableName::table)
        .toList();
  }

  @Override
  public List<AlarmChange> history(long id) {
    return tables.values().stream()
        .flatMap(table -> table.journal.stream())
        .filter(change -> change.id() == id)
        .toList();
  }

  @Override
  public AlarmCounts counts(long nowMillis) {
    int attention = 0;
    int active = 0;
    int shelved = 0;
    long refused = 0;
    for (AlarmTable table : tables.values()) {
      refused += table.refused;
      for (Alarm alarm : table.alarms.values()) {
        attention += alarm.state().asksForAttention() ? 1 : 0;
        active += alarm.state().isActive() ? 1 : 0;
        shelved += alarm.state().isShelved() ? 1 : 0;
      }
    }
    return new AlarmCounts(
        changes,
        attention,
        active,
        shelved,
        flood.raisedWithin(nowMillis),
        flood.isFlood(nowMillis),
        flood.floods,
        flood.total,
        refused);
  }

  /** All of it, as {@link #of} reads it. Equal alarms have equal bytes. */
  public byte[] bytes() {
    return AlarmCodec.bytesOf(output -> AlarmCodec.writeAll(this, output));
  }

  /**
   * Reads what {@link #bytes} wrote.
   *
   * @throws IOException if they are something else
   */
  public static Alarms of(byte[] bytes) throws IOException {
    return AlarmCodec.read(bytes, AlarmCodec::readAll);
  }
}
