package io.sedge.alarm;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What a table's sink says in one step.
 *
 * @param position the sequence up to which whole batches of rows are in the alarms with this one
 * @param applied the sequence up to which rows are; within a batch, if it took several steps
 * @param atMillis the wall clock of whoever says it
 * @param reports in order
 * @param marks of ways to tell people, by name; those that are not named stay
 */
public record AlarmBatch(
    String table,
    AlarmPriority priority,
    long position,
    long applied,
    long atMillis,
    List<AlarmReport> reports,
    Map<String, NoticeMark> marks) {
  /** How many reports one may have, so that it fits into an entry of a log. */
  public static final int MAX_REPORTS = 256;

  /** How many ways to tell people a table may have. */
  public static final int MAX_MARKS = 4;

  public AlarmBatch {
    reports = List.copyOf(reports);
    marks = Map.copyOf(marks);
    if (reports.size() > MAX_REPORTS || marks.size() > MAX_MARKS) {
      throw new IllegalArgumentException(
          "%d reports and %d marks; at most %d and %d are allowed"
              .formatted(reports.size(), marks.size(), MAX_REPORTS, MAX_MARKS));
    }
    if (position < 0 || applied < position) {
      throw new IllegalArgumentException("row %d is before row %d".formatted(applied, position));
    }
  }

  /** All of it, as {@link #of} reads it. */
  public byte[] bytes() {
    return AlarmCodec.bytesOf(output -> AlarmCodec.writeBatch(this, output));
  }

  /**
   * Reads what {@link #bytes} wrote.
   *
   * @throws IOException if they are something else
   */
  public static AlarmBatch of(byte[] bytes) throws IOException {
    return AlarmCodec.read(bytes, AlarmCodec::readBatch);
  }
}
