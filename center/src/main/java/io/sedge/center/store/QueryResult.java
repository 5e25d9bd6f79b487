package io.sedge.center.store;

/**
 * What a query has returned.
 *
 * @param rows how many rows the receiver was given
 * @param bytes about how many bytes their values have
 * @param complete whether these are all; otherwise a limit has cut the rest off
 */
public record QueryResult(long rows, long bytes, boolean complete) {}
