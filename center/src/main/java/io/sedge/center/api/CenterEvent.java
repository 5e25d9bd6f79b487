package io.sedge.center.api;

import java.util.List;

/** What sites and tables are like, as the console is told while that changes. */
public record CenterEvent(long atMillis, List<SiteReport> sites, List<TableReport> tables) {}
