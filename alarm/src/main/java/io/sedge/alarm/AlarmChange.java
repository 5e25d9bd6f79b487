package io.sedge.alarm;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a table's journal: what happened to one of its alarms. Times are milliseconds since
 * 1970-01-01T00:00:00Z.
 *
 * @param number of the entry, from 1 without a gap
 * @param id of the alarm
 * @param atMillis by the wall clock
 * @param state after it
 * @param value as in {@link Alarm}
 * @param by who did it; empty for the process itself
 * @param note what he said
 */
public record AlarmChange(
    long number,
    long id,
    String key,
    long atMillis,
    AlarmEvent event,
    AlarmState state,
    @Nullable Double value,
    String message,
    String by,
    String note) {}
