/**
 * The connector {@code alarm}: rows raise and clear alarms, after ISA-18.2. Read {@link
 * io.sedge.connector.alarm.AlarmConnector} first; what it is made of is in the package {@code
 * internal}. Its sinks run on their task's thread, and each notice on one of its own.
 */
@NullMarked
package io.sedge.connector.alarm;

import org.jspecify.annotations.NullMarked;
