/**
 * The connector {@code filesystem}: files of records as tables. Read {@link
 * io.sedge.connector.filesystem.FilesystemConnector} first, then {@code FilesystemReader} and
 * {@code FilesystemSink}, which their task's thread alone runs.
 */
@NullMarked
package io.sedge.connector.filesystem;

import org.jspecify.annotations.NullMarked;
