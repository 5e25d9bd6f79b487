package io.sedge.learning.training;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The rows of a device that a training is over, as they were when it began: in a file, so that each
 * pass has the same ones, whatever becomes of the history meanwhile. Written once, then asked as
 * often as need be. One thread at a time.
 *
 * <p>The file holds the columns of a row one after the other, eight bytes each, in the order of the
 * processor. It is removed when this is closed.
 */
public final class DeviceRows implements AutoCloseable {
  /** How much a training may take of the disk: 67 million numbers. */
  public static final long MOST_BYTES = 512L << 20;

  /** What must stay free of the disk. */
  private static final long RESERVE_BYTES = 256L << 20;

  /** Larger values are garbage: their squares would leave no digit of the others. */
  private static final double LARGEST = 1e100;

  private static final int BUFFER_BYTES = 64 << 10;

  /** How much is written before the free space of the disk is looked at again. */
  private static final long LOOK_BYTES = 16L << 20;

  private final Path file;
  private final FileChannel channel;
  private final FileStore disk;
  private final Recipe recipe;
  private final int columns;
  private final ByteBuffer buffer;
  private long written;
  private long lookAt;
  private long rows;
  private long leftOut;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis = Long.MIN_VALUE;

  /**
   * What a device has to train from.
   *
   * @param rows those that count
   * @param leftOut those with a value that is NULL, NaN, infinite or beyond 1e100
   * @param firstMillis the time of the first, if the SELECT has a time; else {@link Long#MAX_VALUE}
   * @param lastMillis the time of the last; else {@link Long#MIN_VALUE}
   */
  public record Summary(long rows, long leftOut, long firstMillis, long lastMillis) {}

  /**
   * None yet.
   *
   * @param file is written anew
   */
  public DeviceRows(Path file, Recipe recipe) throws IOException {
    this.file = file;
    this.recipe = recipe;
    this.columns = recipe.columns();
    this.buffer =
        ByteBuffer.allocateDirect(BUFFER_BYTES / (columns * Double.BYTES) * columns * Double.BYTES)
            .order(java.nio.ByteOrder.nativeOrder());
    this.channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    this.disk = Files.getFileStore(file);
  }

  /**
   * Adds a row, or counts it as left out.
   *
   * @param row the features, then the label if there is one; NaN where a value is NULL
   * @param millis its time; {@link Long#MIN_VALUE} if it has none
   * @throws TrainingException if there are too many
   */
  public void add(double[] row, long millis) throws IOException, TrainingException {
    for (double value : row) {
      if (!(Math.abs(value) <= LARGEST)) {
        leftOut++;
        return;
      }
    }
    if ((rows + 1) * columns * Double.BYTES > MOST_BYTES) {
      throw new TrainingException(
          "this device has more than %,d rows for it; have the SELECT of the model give fewer, such as by 'scan.last' of the history table"
              .formatted(rows));
    }
    for (double value : row) {
      buffer.putDouble(value);
    }
    rows++;
    if (millis != Long.MIN_VALUE) {
      firstMillis = Math.min(firstMillis, millis);
      lastMillis = Math.max(lastMillis, millis);
    }
    if (!buffer.hasRemaining()) {
      write();
    }
  }

  /** All rows are there. */
  public void finish() throws IOException, TrainingException {
    write();
  }

  private void write() throws IOException, TrainingException {
    if (written >= lookAt) {
      if (disk.getUsableSpace() < RESERVE_BYTES) {
        throw new TrainingException(
            "less than %,d bytes of the disk with %s are free".formatted(RESERVE_BYTES, file));
      }
      lookAt = written + LOOK_BYTES;
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      written += channel.write(buffer);
    }
    buffer.clear();
  }

  /** What there is to train from. */
  public Summary summary() {
    return new Summary(rows, leftOut, firstMillis, lastMillis);
  }

  /**
   * Goes over the rows.
   *
   * @param share what it may use of the processor meanwhile
   * @return what may leave the device: nothing if fewer rows are behind it than the recipe says
   */
  public Statistic answer(Question question, TrainingShare share)
      throws IOException, InterruptedException {
    if (question.columns() > columns) {
      throw new IllegalArgumentException(
          "a question about %d columns of %d".formatted(question.columns(), columns));
    }
    long fitting = rows - heldOut(rows);
    return switch (question) {
      case Question.Sum sum when sum.part() == Question.Part.FITTING -> sum(sum, 0, fitting, share);
      case Question.Sum sum -> sum(sum, fitting, rows, share);
      case Question.Epoch epoch -> epoch(epoch, fitting, share);
    };
  }

  private long heldOut(long of) {
    return (long) (of * recipe.heldOut());
  }

  private Statistic sum(Question.Sum question, long from, long to, TrainingShare share)
      throws IOException, InterruptedException {
    if (to - from < recipe.leastRows()) {
      return Statistic.nothing(question.size());
    }
    double[] sums = sums(question, from, to, share);
    return new Statistic(to - from - question.withhold(sums, recipe.leastRows()), sums);
  }

  /** Of the older rows the newest, if they are enough, say when to stop. */
  private Statistic epoch(Question.Epoch question, long fitting, TrainingShare share)
      throws IOException, InterruptedException {
    long stopping = heldOut(fitting) < recipe.leastRows() ? 0 : heldOut(fitting);
    long learned = fitting - stopping;
    if (learned < recipe.leastRows()) {
      return Statistic.nothing(question.size());
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      return new Descent(question, all, columns, share).answer(learned, fitting);
    }
  }

  private double[] sums(Question.Sum question, long from, long to, TrainingShare share)
      throws IOException, InterruptedException {
    double[] sums = new double[question.size()];
    double[] row = new double[columns];
    long at = from;
    share.begin();
    while (at < to) {
      int count = read(at, to);
      DoubleBuffer values = buffer.asDoubleBuffer();
      for (int i = 0; i < count; i++) {
        values.get(row);
        question.add(row, sums);
      }
      at += count;
      share.rest();
    }
    return sums;
  }

  /** Reads rows; how many. */
  private int read(long from, long to) throws IOException {
    int rowBytes = columns * Double.BYTES;
    int count = (int) Math.min(to - from, buffer.capacity() / rowBytes);
    buffer.clear().limit(count * rowBytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from * rowBytes + buffer.position()) < 0) {
        throw new IOException("%s is shorter than it was".formatted(file));
      }
    }
    buffer.flip();
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
