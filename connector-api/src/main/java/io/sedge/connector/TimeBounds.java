package io.sedge.connector;

/**
 * From when to when a job needs the rows of a table, by one of its TIMESTAMP or TIMESTAMP_LTZ
 * columns. Rows in which it is NULL are not needed.
 *
 * @param column its name in the table's schema
 * @param from the first instant, in microseconds; {@link Long#MIN_VALUE} if there is none
 * @param to the last instant; {@link Long#MAX_VALUE} if there is none. Before {@code from} if no
 *     row is needed
 */
public record TimeBounds(String column, long from, long to) {}
