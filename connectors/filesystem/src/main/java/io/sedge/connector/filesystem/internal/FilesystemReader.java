package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RecordSplitter;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a table's files. A batch may hold rows of several files. */
final class FilesystemReader implements SourceReader {
  /** A poll ends after so many records, whatever became of them, so that it is prompt. */
  private static final int MAX_RECORDS_PER_POLL = 4 * Batch.TARGET_ROWS;

  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;
  private final RowDecoder decoder;
  private final Partitions partitions;
  private final RecordSplitter splitter;
  private final BatchBuilder builder;
  private final boolean hasMetadata;
  private final FileSet files;
  private final @Nullable Replay replay;

  /** In replay, by row of the builder: the offset after it. */
  private final long[] offsets;

  /** The file whose header the decoder has, and the one whose rows the replay holds. */
  private @Nullable RecordFile decoded;

  private @Nullable RecordFile replayed;

  /** In replay: the file of the builder's rows, and the offset before the first of them. */
  private @Nullable RecordFile building;

  private long start;
  private long readings;
  private long bytes;
  private long malformed;

  /** Whether there is no room for more malformed records. */
  private boolean held;

  private boolean closed;

  FilesystemReader(
      TableDescriptor table,
      FilesystemOptions options,
      ConnectorContext context,
      RowDecoder decoder,
      Partitions partitions,
      @Nullable FileRange range) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.decoder = decoder;
    this.partitions = partitions;
    this.splitter = context.formats().of(table).splitter(table.options());
    this.builder = new BatchBuilder(table.schema());
    this.hasMetadata = !table.metadata().isEmpty();
    this.files =
        new FileSet(table.name(), options, context, splitter, decoder.expectsHeader(), range);
    this.replay = options.replaySpeed().map(s -> new Replay(s, options.timeColumn())).orElse(null);
    this.offsets = new long[replay == null ? 0 : Batch.TARGET_ROWS];
  }

  /** Connects what decodes. */
  void open() {
    decoder.open(table.name(), context);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (closed) {
      return null;
    }
    if (replay == null) {
      return counted(read(nowNanos));
    }
    if (replay.isEmpty()) {
      Batch batch = read(nowNanos);
      if (batch == null) {
        return null;
      }
      replayed = building;
      replay.take(batch, start, Arrays.copyOf(offsets, batch.rows()));
    }
    return counted(replay.due(nowNanos));
  }

  private @Nullable Batch counted(@Nullable Batch batch) {
    if (batch != null) {
      readings += batch.rows();
    }
    return batch;
  }

  private @Nullable Batch read(long nowNanos) {
    files.discover(nowNanos);
    int idle = 0;
    int records = 0;
    held = false;
    while (!builder.isFull() && records < MAX_RECORDS_PER_POLL && !held) {
      RecordFile file = files.current();
      if (file == null || idle > files.openCount() || mustStop(file)) {
        break;
      }
      RecordFile.Found found = next(file);
      switch (found) {
        case RECORD -> {
          idle = 0;
          files.busy();
          records++;
          record(file);
        }
        case NOTHING, END, INCOMPLETE -> {
          if (replay != null && builder.rows() > 0) {
            return builder.build(); // Positions inside the batch are those of one file.
          }
          switch (found) {
            case NOTHING -> {
              idle++;
              files.idle();
            }
            case END -> files.ended();
            default -> files.incomplete();
          }
        }
      }
    }
    if (records == MAX_RECORDS_PER_POLL) {
      context.wakeUp();
    }
    return builder.rows() == 0 ? null : builder.build();
  }

  /** In replay a batch holds rows of one file only. */
  private boolean mustStop(RecordFile file) {
    return replay != null && builder.rows() > 0 && building != file;
  }

  private RecordFile.Found next(RecordFile file) {
    long before = file.bytesRead();
    try {
      return file.next(options.follow());
    } catch (RecordFile.IncompleteException e) {
      if (options.monitorInterval().isPresent()) {
        return RecordFile.Found.INCOMPLETE;
      }
      throw FilesystemOptions.failed(table.name(), file.file().path(), "cannot be read", e);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table.name(), file.file().path(), "cannot be read", e);
    } finally {
      bytes += file.bytesRead() - before;
    }
  }

  private void record(RecordFile file) {
    byte[] buffer = file.buffer();
    int from = file.recordFrom();
    int to = file.recordTo();
    if (decoder.expectsHeader()) {
      if (file.header() == null) {
        file.keepHeader();
        return;
      }
      useHeader(file);
    }
    if (!splitter.holdsRow(buffer, from, to)) {
      return;
    }
    if (file.isTooLong()) {
      malformed(file, "a line has more than %,d bytes".formatted(RecordFile.MAX_RECORD_BYTES));
      return;
    }
    try {
      decoder.decode(buffer, from, to - from, builder);
      partitions.add(file.file(), builder);
    } catch (MalformedPayloadException e) {
      builder.discardRow();
      malformed(file, String.valueOf(e.getMessage()));
      return;
    }
    if (hasMetadata) {
      Metadata.add(table.metadata(), file.file(), builder);
    }
    if (replay != null) {
      if (builder.rows() == 0) {
        building = file;
        start = file.recordOffset();
      }
      offsets[builder.rows()] = file.offset();
    }
    builder.endRow();
  }

  private void malformed(RecordFile file, String reason) {
    malformed++;
    int to = Math.min(file.recordTo(), file.recordFrom() + 4096);
    byte[] payload = Arrays.copyOfRange(file.buffer(), file.recordFrom(), to);
    context.malformed(table.name(), file.origin(), payload, reason);
    held = !context.takesMalformed();
  }

  private void useHeader(RecordFile file) {
    byte[] header = file.header();
    if (decoded == file || header == null) {
      return;
    }
    try {
      decoder.header(header, 0, header.length);
      decoded = file;
    } catch (MalformedPayloadException e) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: %s: %s".formatted(table.name(), file.file().path(), e.getMessage()),
          e);
    }
  }

  @Override
  public boolean finished() {
    return files.finished() && (replay == null || replay.isEmpty());
  }

  @Override
  public byte[] position() {
    RecordFile file = replayed;
    if (replay != null && file != null && !replay.isEmpty()) {
      return files.position(file, replay.offset()).toBytes();
    }
    return files.position(null, 0).toBytes();
  }

  @Override
  public void seek(byte[] position) {
    files.seek(FilePosition.of(position));
  }

  /** Files stay where they are; there is nothing to let go of. */
  @Override
  public void acknowledge(byte[] position) {}

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, 0);
  }

  @Override
  public void close() {
    closed = true;
    files.close();
  }
}
