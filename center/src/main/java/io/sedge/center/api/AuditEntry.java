package io.sedge.center.api;

/**
 * What was done.
 *
 * @param who a person or program by the name of its token, with the address that it came from; a
 *     site; or the center
 */
public record AuditEntry(long atMillis, String who, String what, String subject, String detail) {}
