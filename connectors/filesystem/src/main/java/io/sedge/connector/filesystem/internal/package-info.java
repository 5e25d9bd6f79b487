/**
 * Reading and writing of files. {@code FilesystemReader} takes records from {@code RecordFile}s
 * that a {@code FileLister} finds; {@code FilesystemSink} writes them through {@code PartFile}s.
 * One thread each.
 */
@NullMarked
package io.sedge.connector.filesystem.internal;

import org.jspecify.annotations.NullMarked;
