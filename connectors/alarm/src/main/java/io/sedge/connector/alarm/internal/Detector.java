package io.sedge.connector.alarm.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.Alarms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells from rows when an alarm is to be raised and when it clears: limits with a deadband,
 * on-delay and off-delay as ANSI/ISA-18.2 names them (clause 6.4 of IEC 62682).
 *
 * <p>A delay is over when a row of the key says so by its own time, or when it is over by the wall
 * clock and no row has said otherwise. It keeps only keys that are active or wait, {@value
 * #MAX_KEYS} at most. Of one thread.
 */
final class Detector {
  /** How many keys may be active or waiting. */
  static final int MAX_KEYS = Alarms.MAX_ALARMS;

  /** Whoever goes on gives rows that were on their way so long to say otherwise. */
  static final long RESUMED_MILLIS = 5_000;

  private final AlarmOptions options;
  private final long onDelayMillis;
  private final long offDelayMillis;
  private final Map<String, Key> keys = new HashMap<>();

  /** A key that is active, or waits to be. */
  private static final class Key {
    boolean active;
    boolean high;

    /** Since when a delay runs, by the rows' time. */
    long sinceMillis;

    /** When it is over by the wall clock; 0 if none runs. */
    long dueMillis;

    long seenMillis;
    @Nullable Double value;
    String message = "";
  }

  /**
   * A row.
   *
   * @param condition what it says; null if it says nothing of that
   * @param gone whether it takes the row of the key away
   */
  record Row(
      String key,
      long timeMillis,
      @Nullable Boolean condition,
      @Nullable Double value,
      String message,
      boolean gone) {}

  Detector(AlarmOptions options) {
    this.options = options;
    this.onDelayMillis = options.onDelay().toMillis();
    this.offDelayMillis = options.offDelay().toMillis();
  }

  /** Goes on with what is known of the table. */
  void resume(Collection<Alarm> alarms, long nowMillis) {
    for (Alarm alarm : alarms) {
      if (alarm.state().isActive() || alarm.dueMillis() != 0) {
        Key key = new Key();
        key.active = alarm.state().isActive();
        key.sinceMillis = alarm.waitingSinceMillis();
        key.dueMillis =
            alarm.dueMillis() == 0 ? 0 : Math.max(alarm.dueMillis(), nowMillis + RESUMED_MILLIS);
        key.seenMillis = nowMillis;
        key.value = alarm.value();
        key.message = alarm.message();
        key.high = wasAbove(alarm.value());
        keys.put(alarm.key(), key);
      }
    }
  }

  /** Which limit raised it; the value may be back in a deadband by now. */
  private boolean wasAbove(@Nullable Double value) {
    if (options.low().isEmpty() || options.high().isEmpty()) {
      return options.high().isPresent();
    }
    return value != null
        && value > (options.low().getAsDouble() + options.high().getAsDouble()) / 2;
  }

  boolean hasRoom(String key) {
    return keys.size() < MAX_KEYS || keys.containsKey(key);
  }

  /** The keys that are active. */
  List<String> active() {
    return keys.entrySet().stream()
        .filter(entry -> entry.getValue().active)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Raises a key anew that is active. */
  AlarmReport again(String name, long timeMillis) {
    Key key = requireNonNull(keys.get(name), name);
    return new AlarmReport(
        AlarmEvent.RAISE, name, timeMillis, key.dueMillis, key.value, key.message);
  }

  /** Takes a row; what comes of it, if anything. */
  Optional<AlarmReport> row(Row row, long nowMillis) {
    Key key = keys.get(row.key());
    Boolean holds = holds(row, key);
    if (holds == null || (key == null && !holds)) {
      return Optional.empty();
    }
    if (key == null) {
      key = new Key();
      keys.put(row.key(), key);
    }
    if (!row.gone()) {
      key.value = row.value();
      key.message = row.message();
    }
    key.seenMillis = nowMillis;
    if (holds) {
      key.high = row.value() != null && isAbove(row.value(), true);
    }
    return holds == key.active
        ? settled(row, key)
        : changing(row, key, holds ? onDelayMillis : offDelayMillis, nowMillis);
  }

  /** The key is as it should be; a delay that was running has ended. */
  private Optional<AlarmReport> settled(Row row, Key key) {
    if (!key.active) {
      keys.remove(row.key());
    }
    if (key.dueMillis == 0) {
      return Optional.empty();
    }
    key.dueMillis = 0;
    return report(AlarmEvent.SETTLE, row.key(), row.timeMillis(), 0, key);
  }

  private Optional<AlarmReport> changing(Row row, Key key, long delayMillis, long nowMillis) {
    boolean waits = key.dueMillis != 0;
    if (delayMillis == 0 || (waits && row.timeMillis() - key.sinceMillis >= delayMillis)) {
      return change(row.key(), key, row.timeMillis());
    }
    if (waits) {
      return Optional.empty();
    }
    key.sinceMillis = row.timeMillis();
    key.dueMillis = nowMillis + delayMillis;
    return report(AlarmEvent.WAIT, row.key(), row.timeMillis(), key.dueMillis, key);
  }

  private Optional<AlarmReport> change(String name, Key key, long timeMillis) {
    key.active = !key.active;
    key.dueMillis = 0;
    if (!key.active) {
      keys.remove(name);
    }
    return report(key.active ? AlarmEvent.RAISE : AlarmEvent.CLEAR, name, timeMillis, 0, key);
  }

  /**
   * What comes of it that time has passed.
   *
   * @param most how many reports there may be; others come with the next call
   */
  List<AlarmReport> tick(long nowMillis, int most) {
    List<String> due = new ArrayList<>();
    for (Map.Entry<String, Key> entry : keys.entrySet()) {
      if (due.size() >= most) {
        break;
      }
      if (isDue(entry.getValue(), nowMillis)) {
        due.add(entry.getKey());
      }
    }
    List<AlarmReport> reports = new ArrayList<>(due.size());
    for (String name : due) {
      Key key = keys.get(name);
      if (key != null) {
        change(name, key, nowMillis).ifPresent(reports::add);
      }
    }
    return reports;
  }

  private boolean isDue(Key key, long nowMillis) {
    if (key.dueMillis != 0) {
      return key.dueMillis <= nowMillis;
    }
    return key.active
        && options.clearAfter().isPresent()
        && nowMillis - key.seenMillis >= options.clearAfter().get().toMillis();
  }

  /** Whether the condition holds; null if the row does not say. */
  private @Nullable Boolean holds(Row row, @Nullable Key key) {
    if (row.gone()) {
      return false;
    }
    if (options.condition() >= 0) {
      return row.condition();
    }
    if (!options.hasLimits()) {
      return true;
    }
    Double value = row.value();
    if (value == null || value.isNaN()) {
      return null;
    }
    boolean wasAbove = key != null && key.active && key.high;
    boolean wasBelow = key != null && key.active && !key.high;
    return isAbove(value, wasAbove) || isBelow(value, wasBelow);
  }

  private boolean isAbove(double value, boolean active) {
    return options.high().isPresent()
        && value > options.high().getAsDouble() - (active ? options.deadband() : 0);
  }

  private boolean isBelow(double value, boolean active) {
    return options.low().isPresent()
        && value < options.low().getAsDouble() + (active ? options.deadband() : 0);
  }

  private static Optional<AlarmReport> report(
      AlarmEvent event, String key, long timeMillis, long dueMillis, Key state) {
    return Optional.of(
        new AlarmReport(event, key, timeMillis, dueMillis, state.value, state.message));
  }
}
