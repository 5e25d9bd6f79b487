/**
 * How rows become alarms. Read {@link io.sedge.connector.alarm.internal.Detector} first: it knows
 * limits and delays; {@link io.sedge.connector.alarm.internal.AlarmSink} gives what it finds to the
 * store; {@link io.sedge.connector.alarm.internal.Notices} tell people.
 */
@NullMarked
package io.sedge.connector.alarm.internal;

import org.jspecify.annotations.NullMarked;
