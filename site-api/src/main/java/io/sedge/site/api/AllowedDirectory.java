package io.sedge.site.api;

/**
 * A directory of a device whose files jobs may use.
 *
 * @param directory an absolute path
 * @param writable whether they may write there too
 */
public record AllowedDirectory(String directory, boolean writable) {}
