package io.sedge.center.api;

import io.sedge.alarm.AlarmCounts;
import java.util.List;

/** What sites, tables and alarms are like, as the console is told while that changes. */
public record CenterEvent(
    long atMillis, List<SiteReport> sites, List<TableReport> tables, AlarmCounts alarms) {}
