package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.format.PayloadWriter;
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
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as lines to files that end, and get their name, by size, age or idleness. What was
 * offered is written before {@code offer} returns; it is brought to the disk, and files are
 * completed, by {@link Durable} meanwhile. Should the process die, the next sink of the directory
 * completes the files: by the {@link Journal} if rows may come again, else all lines that are
 * whole. At most {@link #MAX_FILES} partitions have a file in progress; that of the one written
 * least recently ends where another is needed.
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
  private final PayloadWriter payloads;
  private final byte[] header;
  private final String writer;
  private final WriterLock lock;
  private final @Nullable Journal journal;
  private final Durable disk;

  /** In progress, by directory, the one written last at the end. */
  private final Map<String, PartFile> files = new LinkedHashMap<>(16, 0.75f, true);

  /** Of these, those of which not all was handed to the disk. */
  private final Set<PartFile> written = new LinkedHashSet<>();

  /** To be completed. */
  private List<PartFile> ending = new ArrayList<>();

  /** What of the batch at hand goes where. */
  private final Map<String, ByteArrayOutputStream> pending = new LinkedHashMap<>();

  /** Those that the batch at hand was written to. */
  private final List<PartFile> touched = new ArrayList<>();

  private long checkedNanos;
  private long taken;
  private long durable;

  /** What {@link #durable} becomes when the disk is done. */
  private long underWay;

  private long bytes;
  private boolean closed;

  /**
   * @param writer a name that no other writer has
   * @param lock says that it lives; closed with the sink
   * @param journal of the writer of the rows; null if they have no writer
   * @param found the sequence up to which the directory has rows
   */
  FilesystemSink(
      String table,
      FilesystemOptions options,
      ConnectorContext context,
      Partitions partitions,
      PayloadWriter payloads,
      byte[] header,
      String writer,
      WriterLock lock,
      @Nullable Journal journal,
      long found) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.partitions = partitions;
    this.payloads = payloads;
    this.header = header;
    this.writer = writer;
    this.lock = lock;
    this.journal = journal;
    this.taken = found;
    this.durable = found;
    this.underWay = found;
    this.disk = new Durable("sedge-disk-" + table, options.path(), context::wakeUp);
    this.checkedNanos = context.nanoTime();
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    if (closed) {
      throw new IllegalStateException("table %s: its sink is closed".formatted(table));
    }
    if (ending.size() >= MAX_ENDING) {
      bringEnding();
      if (ending.size() >= MAX_ENDING) {
        return false;
      }
    }
    Batch batch = numbered.batch();
    for (int row = 0; row < batch.rows(); row++) {
      String directory = partitions.isEmpty() ? "" : partitions.directory(batch, row);
      ByteArrayOutputStream lines =
          pending.computeIfAbsent(directory, _ -> new ByteArrayOutputStream());
      if (payloads.append(numbered, row, lines)) {
        lines.write('\n');
      }
    }
    pending.values().removeIf(lines -> lines.size() == 0);
    try {
      pending.forEach((directory, lines) -> write(numbered, directory, lines.toByteArray()));
      touched.forEach(PartFile::mark);
    } catch (ConnectorException e) {
      touched.forEach(PartFile::undo); // A batch is written whole or not at all.
      throw e;
    } finally {
      touched.clear();
      pending.clear();
    }
    taken = numbered.last();
    endByAge();
    bringEnding();
    return true;
  }

  private void write(NumberedBatch batch, String directory, byte[] lines) {
    PartFile file = files.get(directory);
    Path path = options.path().resolve(directory);
    try {
      if (file == null) {
        file = begin(batch, directory, path);
      }
      path = file.path();
      touched.add(file);
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

  private PartFile begin(NumberedBatch batch, String directory, Path path) throws IOException {
    if (files.size() == MAX_FILES) {
      Iterator<PartFile> all = files.values().iterator();
      end(all.next());
      all.remove();
    }
    FilesystemOptions.check(table, path, FileAccess.Use.WRITE, context);
    Files.createDirectories(path);
    PartFile file = PartFile.begin(path, writer + "-" + batch.first(), context.nanoTime());
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

  /** Files that ended get their names soon. */
  private void bringEnding() {
    if (!isDiskBusy() && !ending.isEmpty()) {
      bring();
    }
  }

  /** Brings all that was taken to the disk: what is confirmed is all rows up to a sequence. */
  private void bring() {
    List<PartFile> unfinished = List.copyOf(written);
    disk.begin(unfinished, ending, confirmation(unfinished, ending));
    underWay = taken;
    written.clear();
    ending = new ArrayList<>();
  }

  private Durable.Confirmation confirmation(List<PartFile> unfinished, List<PartFile> ended) {
    if (journal == null) {
      return () -> {};
    }
    Journal its = journal;
    long upTo = taken;
    List<Journal.Extent> extents = new ArrayList<>();
    unfinished.forEach(file -> extents.add(extent(file, false)));
    ended.forEach(file -> extents.add(extent(file, true)));
    return () -> its.append(upTo, extents);
  }

  private Journal.Extent extent(PartFile file, boolean ended) {
    String path = options.path().relativize(file.path()).toString();
    return new Journal.Extent(path, file.sizeBytes(), ended);
  }

  private boolean isDiskBusy() {
    try {
      boolean busy = disk.isBusy();
      durable = busy ? durable : underWay;
      return busy;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private RuntimeException failed(IOException cause) {
    return FilesystemOptions.failed(table, options.path(), "cannot be brought to the disk", cause);
  }

  /** Also ends files by age and idleness, so it is to be called when there are no rows too. */
  @Override
  public long flush() {
    endByAge();
    if (!isDiskBusy() && hasNews()) {
      bring();
    }
    return durable;
  }

  private boolean hasNews() {
    return !written.isEmpty() || !ending.isEmpty() || taken > underWay;
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
      if (hasNews()) {
        bring();
        disk.await();
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
