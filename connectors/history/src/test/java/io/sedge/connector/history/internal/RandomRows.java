package io.sedge.connector.history.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random schemas and rows of them, edges of each type included. */
final class RandomRows {
  private static final long[] LONGS = {Long.MIN_VALUE, Long.MAX_VALUE, 0, -1, 1};
  private static final double[] DOUBLES = {
    0.0, -0.0, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE, Double.NEGATIVE_INFINITY, 1e-300
  };

  private final Random random;

  /** Whether strings are few, as names of sensors are. */
  private final boolean fewStrings;

  RandomRows(Random random) {
    this.random = random;
    this.fewStrings = random.nextBoolean();
  }

  Shape shape() {
    Schema.Builder schema = Schema.builder();
    int columns = 1 + random.nextInt(8);
    int time = -1;
    for (int i = 0; i < columns; i++) {
      Type type = type(0);
      schema.add(name(i), type);
      if (type.kind().isTimestamp() && random.nextBoolean()) {
        time = i;
      }
    }
    return new Shape(schema.build(), time);
  }

  private String name(int column) {
    return switch (random.nextInt(4)) {
      case 0 -> "Column" + column / 2 + (column % 2 == 0 ? "A" : "a");
      case 1 -> "mit Leerzeichen und 温度 " + column;
      case 2 -> "a.b`c\"d/" + column;
      default -> "c" + column;
    };
  }

  private Type type(int depth) {
    Type type =
        switch (random.nextInt(depth < 2 ? 16 : 14)) {
          case 0 -> Type.BOOLEAN;
          case 1 -> Type.TINYINT;
          case 2 -> Type.SMALLINT;
          case 3 -> Type.INT;
          case 4 -> Type.BIGINT;
          case 5 -> Type.FLOAT;
          case 6 -> Type.DOUBLE;
          case 7 -> Type.STRING;
          case 8 -> Type.DATE;
          case 9 -> Type.TIME;
          case 10 -> Type.timestamp(new int[] {0, 3, 6}[random.nextInt(3)]);
          case 11 -> Type.timestampLtz(new int[] {0, 3, 6}[random.nextInt(3)]);
          case 12 -> Type.decimal(1 + random.nextInt(38), 0);
          case 13 -> Type.character(4);
          case 14 -> Type.array(type(depth + 1));
          default -> Type.row(List.of("x", "Y"), List.of(type(depth + 1), type(depth + 1)));
        };
    if (type.kind() == Kind.DECIMAL) {
      type = Type.decimal(type.precision(), random.nextInt(type.precision() + 1));
    }
    return random.nextInt(4) == 0 ? type.notNull() : type;
  }

  Batch batch(Schema schema, int rows) {
    BatchBuilder builder = new BatchBuilder(schema);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < schema.size(); column++) {
        builder.column(column).add(value(schema.type(column)));
      }
      builder.endRow();
    }
    return builder.build();
  }

  private @Nullable Object value(Type type) {
    if (type.nullable() && random.nextInt(5) == 0) {
      return null;
    }
    return switch (type.storage()) {
      case BOOLEAN -> random.nextBoolean();
      case INT -> intValue(type);
      case LONG -> longValue(type);
      case FLOAT -> random.nextInt(9) == 0 ? Float.NaN : (float) random.nextGaussian();
      case DOUBLE ->
          random.nextInt(4) == 0
              ? DOUBLES[random.nextInt(DOUBLES.length)]
              : Math.rint(random.nextGaussian() * 1000) / 100;
      case DECIMAL -> decimal(type);
      case STRING -> string();
      case ARRAY -> {
        List<@Nullable Object> values = new ArrayList<>();
        for (int left = random.nextInt(4); left > 0; left--) {
          values.add(value(type.children().getFirst()));
        }
        yield values;
      }
      case ROW -> {
        List<@Nullable Object> values = new ArrayList<>();
        type.children().forEach(child -> values.add(value(child)));
        yield values;
      }
    };
  }

  private int intValue(Type type) {
    return switch (type.kind()) {
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case TIME -> random.nextInt(86_400_000);
      default -> random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(100);
    };
  }

  private long longValue(Type type) {
    if (type.kind().isTimestamp()) {
      return switch (random.nextInt(40)) {
        case 0 -> -62_135_596_800_000_000L; // 0001-01-01
        case 1 -> 253_402_300_799_999_999L; // 9999-12-31
        default -> 1_767_225_600_000_000L + random.nextInt(50) * 1_000_000L;
      };
    }
    return random.nextInt(3) == 0 ? LONGS[random.nextInt(LONGS.length)] : random.nextInt(1000);
  }

  private BigDecimal decimal(Type type) {
    BigInteger limit = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    BigInteger unscaled =
        random.nextInt(8) == 0
            ? limit
            : new BigInteger(limit.bitLength() + 8, random).mod(limit.add(BigInteger.ONE));
    return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
  }

  private String string() {
    if (fewStrings) {
      return random.nextInt(50) == 0 ? "" : "halle/ü/pump-" + random.nextInt(40);
    }
    return switch (random.nextInt(6)) {
      case 0 -> "";
      case 1 -> "pump-" + random.nextInt(3);
      case 2 -> "\u0000\uD83D\uDE00 ü";
      case 3 -> "x".repeat(random.nextInt(3000));
      default -> Long.toHexString(random.nextLong());
    };
  }
}
