/**
 * The life of alarms after ISA-18.2 (IEC 62682), and what is kept of them. Read {@link
 * io.sedge.alarm.AlarmState} first, then {@link io.sedge.alarm.Alarm}; {@link
 * io.sedge.alarm.Alarms} are all of a site or a run, and {@link io.sedge.alarm.AlarmStore} is how a
 * connector reaches them. Of one thread at a time, but for stores. Reads no clock. Needs the JDK
 * alone.
 */
@NullMarked
package io.sedge.alarm;

import org.jspecify.annotations.NullMarked;
