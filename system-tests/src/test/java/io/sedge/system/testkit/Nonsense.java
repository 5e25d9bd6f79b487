package io.sedge.system.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Random;

/**
 * What a broken sensor may send to a table {@code (seq BIGINT, v DOUBLE, ts TIMESTAMP_LTZ, tags
 * ROW<a STRING>)} of JSON: the same for the same seed. One thread.
 */
public final class Nonsense {
  private static final int HUGE_BYTES = 16 << 20;
  private static final int HUGE_EVERY = 1_000;
  private static final int DEEPEST = 50_000;
  private static final long SECONDS_PER_YEAR = 31_556_952;

  private final Random random;
  private long made;

  public Nonsense(long seed) {
    this.random = new Random(seed);
  }

  /** How a table has to take it. */
  public enum Fate {
    /** The payload is malformed, or its time is of the future. */
    MALFORMED,
    /** It has no event time. */
    TIMELESS,
    /** It is a row, with a negative number; it may be late. */
    ROW
  }

  /** A payload, and what must become of it. */
  public static final class Payload {
    private final byte[] bytes;
    private final Fate fate;

    Payload(byte[] bytes, Fate fate) {
      this.bytes = bytes;
      this.fate = fate;
    }

    /** What is sent; the caller's. */
    public byte[] bytes() {
      return bytes;
    }

    public Fate fate() {
      return fate;
    }

    static Payload of(Fate fate, String text) {
      return new Payload(text.getBytes(StandardCharsets.UTF_8), fate);
    }
  }

  /** The next one. One in a thousand, the tenth to begin with, has 16 MiB. */
  public Payload next() {
    if (made++ % HUGE_EVERY == 10) {
      return new Payload(new byte[HUGE_BYTES], Fate.MALFORMED);
    }
    return switch (random.nextInt(12)) {
      case 0 -> noise();
      case 1 -> Payload.of(Fate.MALFORMED, "");
      case 2 -> Payload.of(Fate.MALFORMED, "{\"tags\":" + "[".repeat(1 + random.nextInt(DEEPEST)));
      case 3 -> Payload.of(Fate.MALFORMED, nested(1 + random.nextInt(DEEPEST)) + "x");
      case 4 ->
          Payload.of(Fate.MALFORMED, row("9".repeat(1 + random.nextInt(20_000)) + "9e20", now()));
      case 5 -> Payload.of(Fate.MALFORMED, row("\"x\"", now()));
      case 6 -> Payload.of(Fate.MALFORMED, row("-1", now()).replace("\"v\":1", "\"v\":[1,{}]"));
      case 7 -> Payload.of(Fate.MALFORMED, row("-1", "\"no time\""));
      case 8 -> Payload.of(Fate.TIMELESS, row("-1", "null"));
      case 9 ->
          Payload.of(
              Fate.MALFORMED, row("-1", year(Year.now(ZoneOffset.UTC).getValue() + 2, 9999)));
      case 10 -> Payload.of(Fate.ROW, row("-1", year(1900, 2024)));
      default -> Payload.of(Fate.ROW, "{\"seq\":-1,\"seq\":-2," + row("-3", now()).substring(1));
    };
  }

  /** No JSON text: it begins with a byte that no UTF-8 has. */
  private Payload noise() {
    byte[] bytes = new byte[1 + random.nextInt(2_000)];
    random.nextBytes(bytes);
    bytes[0] = (byte) 0xff;
    return new Payload(bytes, Fate.MALFORMED);
  }

  private static String nested(int depth) {
    return "{\"tags\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  private static String row(String seq, String time) {
    return "{\"seq\":%s,\"v\":1,\"ts\":%s}".formatted(seq, time);
  }

  private static String now() {
    return quoted(Instant.now());
  }

  private String year(int first, int last) {
    long seconds = (first - 1970 + random.nextInt(last - first + 1)) * SECONDS_PER_YEAR;
    return quoted(Instant.ofEpochSecond(seconds));
  }

  private static String quoted(Instant time) {
    return String.format(Locale.ROOT, "\"%s\"", time);
  }
}
