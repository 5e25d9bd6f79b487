package io.sedge.console.internal.run;

import io.sedge.alarm.MemoryAlarms;
import io.sedge.sql.Job;
import java.util.Map;

/**
 * What there is to show of a run.
 *
 * @param title of the page
 * @param script as its author wrote it
 * @param taps by the name of their table, in the order of the script
 */
record RunState(
    String title,
    String script,
    String version,
    long startedMillis,
    Job job,
    Map<String, Tap> taps,
    JobLog log,
    MemoryAlarms alarms) {}
