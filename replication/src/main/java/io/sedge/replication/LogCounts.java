package io.sedge.replication;

/**
 * What a member has done to the log on its disk since it was opened.
 *
 * @param entries that it has appended
 * @param syncs how often it brought the log to the disk; entries that come together share one
 */
public record LogCounts(long entries, long syncs) {}
