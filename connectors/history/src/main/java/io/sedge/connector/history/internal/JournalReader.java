package io.sedge.connector.history.internal;

import io.sedge.engine.column.Column;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A journal as it was when it was opened. It can be read even when it has become a segment and was
 * deleted, for its file stays open. One thread.
 */
final class JournalReader implements AutoCloseable {
  private final Path file;
  private final Frames frames;
  private final Journal.Content content;

  /**
   * @throws EOFException if it is being begun and has no rows
   * @throws IOException if it cannot be read
   */
  JournalReader(Path file) throws IOException {
    this.file = file;
    this.frames = new Frames(file);
    try {
      this.content = Journal.scan(frames);
    } catch (IOException | RuntimeException e) {
      frames.close();
      throw e;
    }
  }

  Path file() {
    return file;
  }

  Shape shape() {
    return content.head().shape();
  }

  /** The greatest mark that it knows to be committed; -1 if it knows of none. */
  long committed() {
    return content.committed();
  }

  /** How many bytes there are up to a mark. */
  long bytes(long mark) {
    return content.endOf(mark);
  }

  boolean hasRows(long mark) {
    return content.hasRows(mark);
  }

  /**
   * The rows up to a mark, in the order of time.
   *
   * @param wanted those of the journal's columns that are, by position, in that order
   */
  Rows read(long mark, int[] wanted) throws IOException {
    Rows rows = Journal.rows(frames, content, mark);
    List<Column> columns = IntStream.of(wanted).mapToObj(rows.columns()::get).toList();
    return new Rows(rows.shape(), rows.count(), columns, rows.times());
  }

  @Override
  public void close() throws IOException {
    frames.close();
  }
}
