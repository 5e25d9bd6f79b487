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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes rows as lines to files that end, and get their name, by size, age or idleness. What was
 * offered is written before {@code offer} returns; it is brought to the disk, and files are
 * completed, by {@link Durable} meanwhile. Should the process die, the next sink of the directory
 * completes the files. At most {@link #MAX_FILES} partitions have a file in progress; that of the
 * one written least recently ends where another is needed.
 */
final class FilesystemSink implements Sink {
  /** So many partitions may have a file in progress. */
  static final int MAX_FILES = 10_000;

  /** No more is taken while so many files wait to be completed. */
  static final int MAX_ENDING = 1_000;

  private final String table;
  private final FilesystemOptions options;
  private final ConnectorContext context;
  private final Partitions partitions;
  private final RowEncoder encoder;
  private final byte[] header;
  private final String writer;
  private final WriterLock lock;
  private final Durable disk;

  /** In progress, by directory, the one written last at the end. */
  private final Map<String, PartFile> files = new LinkedHashMap<>(16, 0.75f, true);

  /** Of these, those of which not all was handed to the disk. */
  private final Set<PartFile> written = new LinkedHashSet<>();

  /** To be completed. */
  private List<PartFile> ending = new ArrayList<>();

  /** What of the batch at hand goes where. */
  private final Map<String, ByteArrayOutputStream> pending = new LinkedHashMap<>();

  private long checkedNanos;
  private int counter;
  private long bytes;
  private boolean closed;

  /**
   * @param writer a name that no other writer has
   * @param lock says that it lives; closed with the sink
   */
  FilesystemSink(
      String table,
      FilesystemOptions options,
      ConnectorContext context,
      Partitions partitions,
      RowEncoder encoder,
      byte[] header,
      String writer,
      WriterLock lock) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.partitions = partitions;
    this.encoder = encoder;
    this.header = header;
    this.writer = writer;
    this.lock = lock;
    this.disk = new Durable("sedge-disk-" + table, options.path(), context::wakeUp);
    this.checkedNanos = context.nanoTime();
  }

  @Override
  public boolean offer(Batch batch) {
    if (closed) {
      throw new IllegalStateException("table %s: its sink is closed".formatted(table));
    }
    if (ending.size() >= MAX_ENDING) {
      bringEnding();
      if (ending.size() >= MAX_ENDING) {
        return false;
      }
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
    endByAge();
    bringEnding();
    return true;
  }

  private void write(String directory, byte[] lines) {
    PartFile file = files.get(directory);
    Path path = options.path().resolve(directory);
    try {
      if (file == null) {
        file = begin(directory, path);
      }
      path = file.path();
      file.append(ByteBuffer.wrap(lines), context.nanoTime());
      bytes += lines.length;
      written.add(file);
      if (file.sizeBytes() >= options.rollingSizeBytes()) {
        files.remove(directory);
        end(file);
      }
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, path, "cannot be written", e);
    }
  }

  private PartFile begin(String directory, Path path) throws IOException {
    if (files.size() == MAX_FILES) {
      Iterator<PartFile> all = files.values().iterator();
      end(all.next());
      all.remove();
    }
    Files.createDirectories(path);
    PartFile file = PartFile.begin(path, writer + "-" + counter++, context.nanoTime());
    files.put(directory, file);
    if (header.length > 0) {
      ByteBuffer line = ByteBuffer.allocate(header.length + 1).put(header).put((byte) '\n').flip();
      file.append(line, context.nanoTime());
      bytes += header.length + 1;
    }
    return file;
  }

  private void end(PartFile file) {
    written.remove(file);
    ending.add(file);
  }

  private void endByAge() {
    long now = context.nanoTime();
    if (now - checkedNanos < options.checkInterval().toNanos()) {
      return;
    }
    checkedNanos = now;
    files
        .values()
        .removeIf(
            file -> {
              boolean over = file.isOver(options, now);
              if (over) {
                end(file);
              }
              return over;
            });
  }

  /** Files that ended get their names soon; the others are brought to the disk by a flush. */
  private void bringEnding() {
    if (!isDiskBusy() && !ending.isEmpty()) {
      bring(List.of());
    }
  }

  private void bring(List<PartFile> unfinished) {
    disk.begin(unfinished, ending);
    ending = new ArrayList<>();
  }

  private boolean isDiskBusy() {
    try {
      return disk.isBusy();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException cause) {
    return FilesystemOptions.failed(table, options.path(), "cannot be brought to the disk", cause);
  }

  /** Also ends files by age and idleness, so it is to be called when there are no rows too. */
  @Override
  public boolean flush() {
    endByAge();
    if (isDiskBusy()) {
      return false;
    }
    if (written.isEmpty() && ending.isEmpty()) {
      return true;
    }
    List<PartFile> unfinished = List.copyOf(written);
    written.clear();
    bring(unfinished);
    return false;
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
    try (lock) {
      disk.await();
      files.values().forEach(this::end);
      files.clear();
      bring(List.of());
      disk.await();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
