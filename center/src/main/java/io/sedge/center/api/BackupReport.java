package io.sedge.center.api;

/**
 * A copy of the database that was made.
 *
 * @param file where it is, on the center's machine
 */
public record BackupReport(String file, long bytes) {}
