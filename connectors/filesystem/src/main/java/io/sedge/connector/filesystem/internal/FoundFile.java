package io.sedge.connector.filesystem.internal;

import java.nio.file.Path;

/**
 * A file as it was when it was last looked at.
 *
 * @param path absolute
 * @param name relative to the table's path; {@code ""} if that is the file itself
 * @param identity what stays when the file is renamed: its file key, where the system has them
 * @param modifiedMs milliseconds since 1970
 */
record FoundFile(Path path, String name, String identity, long sizeBytes, long modifiedMs) {}
