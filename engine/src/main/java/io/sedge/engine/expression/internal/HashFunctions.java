package io.sedge.engine.expression.internal;

import io.sedge.engine.type.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Digests of strings' UTF-8 bytes, in lower-case hexadecimal. */
public final class HashFunctions {
  private static final List<Integer> SHA2_BITS = List.of(224, 256, 384, 512);

  private HashFunctions() {}

  public static void register(FunctionTable table) {
    digest(table, "MD5", "MD5");
    digest(table, "SHA1", "SHA-1");
    for (int bits : SHA2_BITS) {
      digest(table, "SHA" + bits, "SHA-" + bits);
    }
    RowFunctions.add(
        table,
        "HASH_CODE",
        "*",
        true,
        (types, result) ->
            hasHashCode(types.getFirst().kind())
                ? row -> hashCode(row.get(0), types.getFirst().kind())
                : null);
    RowFunctions.strict(table, "SHA2", "si", row -> sha2(row.text(0), row.integer(1)));
  }

  /** Whether it is known how Flink computes it. */
  private static boolean hasHashCode(Kind kind) {
    return switch (kind) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          DECIMAL,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ ->
          true;
      default -> false;
    };
  }

  /**
   * That of Flink's value: without its sign for a string, of milliseconds and the rest for a time.
   */
  private static int hashCode(Object value, Kind kind) {
    if (kind.isTimestamp()) {
      long micros = (Long) value;
      long millis = Math.floorDiv(micros, Times.MICROS_PER_MILLI);
      int nanos = (int) Math.floorMod(micros, Times.MICROS_PER_MILLI) * 1_000;
      return 31 * Long.hashCode(millis) + nanos;
    }
    int hash = value.hashCode();
    return kind.isString() && hash < 0 ? -hash : hash;
  }

  private static void digest(FunctionTable table, String name, String algorithm) {
    RowFunctions.ofString(table, name, string -> hash(string, algorithm));
  }

  private static @Nullable String sha2(String string, int bits) {
    int length = bits == 0 ? 256 : bits;
    return SHA2_BITS.contains(length) ? hash(string, "SHA-" + length) : null;
  }

  private static String hash(String string, String algorithm) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm);
      return HexFormat.of().formatHex(digest.digest(string.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has " + algorithm, absent);
    }
  }
}
