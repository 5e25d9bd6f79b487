package io.sedge.bench.center;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Windows of 10 s of 50 series, in the order of their time. */
final class WindowRows {
  static final int SERIES = 50;

  /** Of one commit of a bare loop, and of a batch that is sent. */
  static final int BLOCK = 4_096;

  static final int WINDOWS_A_DAY = 8_640;
  static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

  static final Schema SCHEMA =
      Schema.builder()
          .add("window_end", Type.timestamp(3))
          .add("sensor", Type.STRING)
          .add("average", Type.DOUBLE)
          .build();

  /** The columns by which rows replace each other. */
  static final List<Integer> KEY = List.of(0, 1);

  private static final long WINDOW_SECONDS = 10;

  private WindowRows() {}

  static Instant time(int row) {
    return BEGIN.plusSeconds(row / SERIES * WINDOW_SECONDS);
  }

  static String sensor(int row) {
    return "plant/line-%d/temperature".formatted(row % SERIES);
  }

  static double average(int row) {
    return row * 0.37;
  }

  static Batch batch(int first, int rows) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int row = first; row < first + rows; row++) {
      builder.column(0).addLong(TimeUnit.SECONDS.toMicros(time(row).getEpochSecond()));
      builder.column(1).addString(sensor(row));
      builder.column(2).addDouble(average(row));
      builder.endRow();
    }
    return builder.build();
  }
}
