package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Sink;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes rows as lines to files that end, and get their name, by size, age or idleness. What was
 * offered is written before {@code offer} returns, so there is always room. A file is on disk after
 * {@code flush}; should the process die, the next sink of the directory completes it. At most
 * {@link #MAX_OPEN} partitions have a file open; the one opened first ends where another is needed.
 */
final class FilesystemSink implements Sink {
  /** So many partitions may have a file open. */
  static final int MAX_OPEN = 128;

  private final String table;
  private final FilesystemOptions options;
  private final ConnectorContext context;
  private final Partitions partitions;
  private final RowEncoder encoder;
  private final byte[] header;
  private final String prefix;

  /** By directory, in the order of opening. */
  private final Map<String, PartFile> open = new LinkedHashMap<>();

  /** What of the batch at hand goes where. */
  private final Map<String, ByteArrayOutputStream> pending = new LinkedHashMap<>();

  private long nextCheckMs;
  private int counter;
  private long bytes;
  private boolean closed;

  FilesystemSink(
      String table,
      FilesystemOptions options,
      ConnectorContext context,
      Partitions partitions,
      RowEncoder encoder,
      byte[] header,
      String prefix) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.partitions = partitions;
    this.encoder = encoder;
    this.header = header;
    this.prefix = prefix;
    this.nextCheckMs = nowMs() + options.checkInterval().toMillis();
  }

  private long nowMs() {
    return context.clock().millis();
  }

  @Override
  public boolean offer(Batch batch) {
    if (closed) {
      throw new IllegalStateException("table %s: its sink is closed".formatted(table));
    }
    for (int row = 0; row < batch.rows(); row++) {
      String directory = partitions.isEmpty() ? "" : partitions.directory(batch, row);
      ByteArrayOutputStream lines =
          pending.computeIfAbsent(directory, key -> new ByteArrayOutputStream());
      encoder.encode(batch, row, lines);
      lines.write('\n');
    }
    pending.forEach((directory, lines) -> write(directory, lines.toByteArray()));
    pending.clear();
    rollByAge();
    return true;
  }

  private void write(String directory, byte[] lines) {
    PartFile file = open.get(directory);
    Path path = options.path().resolve(directory);
    try {
      if (file == null) {
        file = begin(directory, path);
      }
      path = file.path();
      file.append(ByteBuffer.wrap(lines), nowMs());
      bytes += lines.length;
      if (file.sizeBytes() >= options.rollingSizeBytes()) {
        open.remove(directory);
        file.complete();
      }
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, path, "cannot be written", e);
    }
  }

  private PartFile begin(String directory, Path path) throws IOException {
    if (open.size() == MAX_OPEN) {
      String eldest = open.keySet().iterator().next();
      PartFile file = open.remove(eldest);
      if (file != null) {
        file.complete();
      }
    }
    Files.createDirectories(path);
    PartFile file = PartFile.begin(path, prefix + "-" + counter++, nowMs());
    open.put(directory, file);
    if (header.length > 0) {
      ByteBuffer line = ByteBuffer.allocate(header.length + 1).put(header).put((byte) '\n').flip();
      file.append(line, nowMs());
      bytes += header.length + 1;
    }
    return file;
  }

  private void rollByAge() {
    long now = nowMs();
    if (now < nextCheckMs) {
      return;
    }
    nextCheckMs = now + options.checkInterval().toMillis();
    for (Map.Entry<String, PartFile> entry : List.copyOf(open.entrySet())) {
      PartFile file = entry.getValue();
      if (now - file.openedMs() >= options.rolloverInterval().toMillis()
          || now - file.writtenMs() >= options.inactivityInterval().toMillis()) {
        open.remove(entry.getKey());
        complete(file);
      }
    }
  }

  private void complete(PartFile file) {
    try {
      file.complete();
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, file.path(), "cannot be completed", e);
    }
  }

  @Override
  public boolean flush() {
    rollByAge();
    for (PartFile file : open.values()) {
      try {
        file.force();
      } catch (IOException e) {
        throw FilesystemOptions.failed(table, file.path(), "cannot be written", e);
      }
    }
    return true;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<PartFile> files = List.copyOf(open.values());
    open.clear();
    files.forEach(this::complete);
  }
}
