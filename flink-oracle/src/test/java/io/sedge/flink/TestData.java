package io.sedge.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Writes the files behind {@code tables.sql}. The same seed gives the same files. */
final class TestData {
  private static final DateTimeFormatter SQL_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);
  private static final LocalDateTime START = LocalDateTime.of(2026, 3, 1, 23, 58);

  /** Before the begin of summer time in Berlin: 2026-03-29T01:00Z. */
  private static final LocalDateTime SPRING = LocalDateTime.of(2026, 3, 28, 20, 0);

  /** Before its end: 2026-10-25T01:00Z. */
  private static final LocalDateTime AUTUMN = LocalDateTime.of(2026, 10, 24, 20, 0);

  private final Random random;

  TestData(long seed) {
    random = new Random(seed);
  }

  /** Fills a folder. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.write(directory.resolve("readings.json"), readings(400));
    List<String> zoned = zoned(SPRING, 60, 10);
    zoned.addAll(zoned(AUTUMN, 120, 5));
    Files.write(directory.resolve("zoned.json"), zoned);
    Files.write(directory.resolve("ticks.json"), ticks(200));
    Files.write(directory.resolve("alarms.json"), alarms(40));
    Files.write(directory.resolve("nothing.json"), List.of());
    try (var edges = TestData.class.getResourceAsStream("/edges.json")) {
      if (edges == null) {
        throw new IOException("edges.json is not among the test resources");
      }
      Files.write(directory.resolve("edges.json"), edges.readAllBytes());
    }
  }

  /** Mostly in order; a tenth up to 4 s back (in time), a twentieth up to 40 s back (late). */
  private List<String> readings(int count) {
    List<String> lines = new ArrayList<>();
    long millis = 0;
    for (int i = 0; i < count; i++) {
      millis += random.nextInt(1200);
      int chance = random.nextInt(20);
      long back = chance == 0 ? random.nextInt(40_000) : chance < 3 ? random.nextInt(4_000) : 0;
      lines.add(reading(Math.max(0, millis - back)));
    }
    return lines;
  }

  private String reading(long millis) {
    return object(
        field("sensor", text("s" + random.nextInt(5))),
        field("zone", orNull(10, text(random.nextBoolean() ? "north" : "south"))),
        field("ts", text(START.plusNanos(millis * 1_000_000).format(SQL_TIME))),
        field("v", orNull(15, Double.toString(Math.round(random.nextGaussian() * 1e4) / 100.0))),
        field("f", orNull(15, Float.toString(random.nextInt(2000) / 8f - 100))),
        field("i", orNull(15, Integer.toString(random.nextInt(200) - 100))),
        field("b", orNull(15, Long.toString(random.nextLong(1L << 40) - (1L << 39)))),
        field("s", orNull(15, Integer.toString(random.nextInt(2000) - 1000))),
        field("t", orNull(15, Integer.toString(random.nextInt(256) - 128))),
        field(
            "d",
            orNull(15, String.format(Locale.ROOT, "%.2f", random.nextInt(200000) / 100.0 - 1000))),
        field("ok", orNull(15, Boolean.toString(random.nextBoolean()))),
        field(
            "note",
            orNull(
                5,
                text(
                    List.of("", "hot", "Cold start", "überhitzt", " x ").get(random.nextInt(5))))));
  }

  /** Times on whole five seconds, so that many are equal or on the bounds of windows. */
  private List<String> ticks(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int chance = random.nextInt(20);
      int back = chance == 0 ? random.nextInt(12) : chance < 4 ? random.nextInt(3) : 0;
      lines.add(
          object(
              field("sensor", text("s" + random.nextInt(4))),
              field("ts", text(START.plusSeconds(5L * Math.max(0, i / 4 - back)).format(SQL_TIME))),
              field("v", orNull(15, Integer.toString(random.nextInt(6))))));
    }
    return lines;
  }

  private List<String> zoned(LocalDateTime start, int count, int everyMinutes) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(
          object(
              field("sensor", text("z" + random.nextInt(3))),
              field(
                  "ts",
                  text(
                      start
                              .plusMinutes((long) i * everyMinutes + random.nextInt(4))
                              .format(SQL_TIME)
                          + "Z")),
              field("v", Integer.toString(random.nextInt(100)))));
    }
    return lines;
  }

  private List<String> alarms(int count) {
    List<String> lines = new ArrayList<>();
    long millis = 0;
    for (int i = 0; i < count; i++) {
      millis += random.nextInt(12_000);
      lines.add(
          object(
              field("sensor", orNull(12, text("s" + random.nextInt(6)))),
              field("severity", Integer.toString(random.nextInt(4))),
              field("raised", text(START.plusNanos(millis * 1_000_000).format(SQL_TIME)))));
    }
    return lines;
  }

  private @Nullable String orNull(int percent, String value) {
    return random.nextInt(100) < percent ? null : value;
  }

  private static String field(String name, @Nullable String value) {
    return text(name) + ":" + value;
  }

  private static String object(String... fields) {
    return "{" + String.join(",", fields) + "}";
  }

  private static String text(String value) {
    return '"' + value + '"';
  }
}
