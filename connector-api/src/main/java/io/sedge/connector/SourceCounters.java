package io.sedge.connector;

/**
 * Totals of a reader since it was opened.
 *
 * @param readings rows handed out
 * @param bytes payload bytes taken in
 * @param malformed payloads that could not be decoded
 * @param dropped readings lost to a bound: 0 unless the table's options allow it (QoS 0 under
 *     overload)
 */
public record SourceCounters(long readings, long bytes, long malformed, long dropped) {}
