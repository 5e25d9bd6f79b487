package io.sedge.task;

import java.time.Duration;

/**
 * What a job has read from one source table since it started.
 *
 * @param readings rows taken
 * @param bytes payload bytes taken
 * @param malformed payloads that could not be decoded, and rows of the table, as the first or only
 *     one of a query, that an expression failed for
 * @param dropped readings lost to a bound of the source
 * @param silence since the last reading, or since the table was opened if there was none
 * @param ended whether there will be no more
 */
public record TableCounters(
    long readings, long bytes, long malformed, long dropped, Duration silence, boolean ended) {}
