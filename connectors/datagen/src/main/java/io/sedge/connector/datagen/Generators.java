package io.sedge.connector.datagen;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.connector.Suggestions;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the values of rows up, column by column. Immutable; any thread. */
final class Generators {
  private static final int DEFAULT_STRING_LENGTH = 100;
  private static final int DEFAULT_ARRAY_LENGTH = 3;
  private static final int MAX_LENGTH = 1 << 16;
  private static final char[] LETTERS = "0123456789abcdef".toCharArray();

  private static final long MILLIS_PER_DAY = Duration.ofDays(1).toMillis();

  private final List<Generator> columns;
  private final OptionalLong rows;

  /** Makes the value of a column in a row up. */
  @FunctionalInterface
  private interface Generator {
    @Nullable Object next(long row, SplittableRandom random);
  }

  private Generators(List<Generator> columns, OptionalLong rows) {
    this.columns = List.copyOf(columns);
    this.rows = rows;
  }

  static Generators of(TableDescriptor table, Options options, InstantSource clock) {
    return new Maker(table, options, clock).make();
  }

  /** How many rows there are until a sequence ends; empty if none is a sequence. */
  OptionalLong rows() {
    return rows;
  }

  /** Adds the values of a row, without ending it. */
  void addRow(long row, SplittableRandom random, BatchBuilder builder) {
    for (int i = 0; i < columns.size(); i++) {
      builder.column(i).add(columns.get(i).next(row, random));
    }
  }

  /** Reads the options of the columns. */
  private static final class Maker {
    private final TableDescriptor table;
    private final Options options;
    private final InstantSource clock;

    /** The names that {@code fields.#} may have. */
    private final NavigableSet<String> names = new TreeSet<>();

    private long rows = Long.MAX_VALUE;

    Maker(TableDescriptor table, Options options, InstantSource clock) {
      this.table = table;
      this.options = options;
      this.clock = clock;
    }

    Generators make() {
      List<Generator> columns = new ArrayList<>();
      table
          .schema()
          .fields()
          .forEach(field -> columns.add(column("fields." + field.name(), field.type())));
      for (String key : table.options().keySet()) {
        if (key.startsWith("fields.") && !names.contains(key.substring(0, key.lastIndexOf('.')))) {
          throw unknownColumn(key);
        }
      }
      return new Generators(
          columns, rows == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(rows));
    }

    private ConnectorException unknownColumn(String key) {
      String name = key.substring("fields.".length(), key.lastIndexOf('.'));
      List<String> known = names.stream().map(n -> n.substring("fields.".length())).toList();
      return new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: '%s' is for a column `%s`, which the table does not have; %s"
              .formatted(
                  table.name(),
                  key,
                  name,
                  Suggestions.closest(name, known)
                      .map("did you mean `%s`?"::formatted)
                      .orElse("it has " + String.join(", ", known))));
    }

    private Generator column(String prefix, Type type) {
      names.add(prefix);
      if (options.choice(prefix + ".kind").equals("sequence")) {
        return sequence(prefix, type);
      }
      double nullRate = options.decimal(prefix + ".null-rate").doubleValue();
      if (nullRate < 0 || nullRate > 1) {
        throw options.wrong(prefix + ".null-rate", "is not between 0 and 1");
      }
      Generator random = random(prefix, type);
      if (nullRate == 0) {
        return random;
      }
      if (!type.nullable()) {
        throw options.wrong(prefix + ".null-rate", "is not 0, but the column is NOT NULL");
      }
      return (row, dice) -> dice.nextDouble() < nullRate ? null : random.next(row, dice);
    }

    private Generator sequence(String prefix, Type type) {
      for (String bound : List.of(".start", ".end")) {
        if (!options.has(prefix + bound)) {
          throw options.wrong(prefix + ".kind", "needs '" + prefix + bound + "' too");
        }
      }
      long start = options.integer(prefix + ".start");
      long end = options.integer(prefix + ".end");
      if (end < start) {
        throw options.wrong(prefix + ".end", "is less than '" + prefix + ".start'");
      }
      rows = Math.min(rows, Math.addExact(Math.subtractExact(end, start), 1));
      return switch (type.kind()) {
        case TINYINT, SMALLINT, INT -> (row, dice) -> (int) (start + row);
        case BIGINT -> (row, dice) -> start + row;
        case FLOAT -> (row, dice) -> (float) (start + row);
        case DOUBLE -> (row, dice) -> (double) (start + row);
        case DECIMAL -> (row, dice) -> BigDecimal.valueOf(start + row).setScale(type.scale());
        case CHAR, VARCHAR -> (row, dice) -> Long.toString(start + row);
        default ->
            throw options.wrong(
                prefix + ".kind", "takes numbers and strings, and the column is " + type);
      };
    }

    private Generator random(String prefix, Type type) {
      return switch (type.kind()) {
        case BOOLEAN -> (row, dice) -> dice.nextBoolean();
        case TINYINT -> integers(prefix, Byte.MIN_VALUE, Byte.MAX_VALUE);
        case SMALLINT -> integers(prefix, Short.MIN_VALUE, Short.MAX_VALUE);
        case INT -> integers(prefix, Integer.MIN_VALUE, Integer.MAX_VALUE);
        case BIGINT -> longs(prefix);
        case FLOAT -> {
          Generator wide = doubles(prefix, -Float.MAX_VALUE, Float.MAX_VALUE);
          yield (row, dice) -> asDouble(wide.next(row, dice)).floatValue();
        }
        case DOUBLE -> doubles(prefix, -Double.MAX_VALUE, Double.MAX_VALUE);
        case DECIMAL -> decimals(prefix, type);
        case CHAR, VARCHAR -> strings(prefix, type);
        case DATE -> (row, dice) -> (int) Math.floorDiv(clock.millis(), MILLIS_PER_DAY);
        case TIME -> (row, dice) -> (int) Math.floorMod(clock.millis(), MILLIS_PER_DAY);
        case TIMESTAMP, TIMESTAMP_LTZ -> timestamps(prefix);
        case ARRAY -> arrays(prefix, type);
        case ROW -> rows(prefix, type);
        case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL ->
            throw new ConnectorException(
                ConnectorException.Kind.USER,
                "table %s: 'connector' = 'datagen' cannot make up values of type %s for '%s'"
                    .formatted(table.name(), type, prefix));
      };
    }

    private static Double asDouble(@Nullable Object value) {
      return value instanceof Double number ? number : Double.valueOf(0);
    }

    private Generator integers(String prefix, int least, int most) {
      int min = Math.toIntExact(bound(prefix + ".min", least, least, most));
      int max = Math.toIntExact(bound(prefix + ".max", most, least, most));
      checkOrder(prefix, min <= max);
      return (row, dice) -> (int) dice.nextLong(min, max + 1L);
    }

    private Generator longs(String prefix) {
      long min = bound(prefix + ".min", Long.MIN_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
      long max = bound(prefix + ".max", Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
      checkOrder(prefix, min <= max);
      if (max == Long.MAX_VALUE) {
        return min == Long.MIN_VALUE
            ? (row, dice) -> dice.nextLong()
            : (row, dice) -> dice.nextLong(min - 1, max) + 1;
      }
      return (row, dice) -> dice.nextLong(min, max + 1);
    }

    private long bound(String key, long absent, long least, long most) {
      return options.has(key) ? options.integer(key, least, most) : absent;
    }

    private Generator doubles(String prefix, double least, double most) {
      double min = options.has(prefix + ".min") ? number(prefix + ".min") : least;
      double max = options.has(prefix + ".max") ? number(prefix + ".max") : most;
      checkOrder(prefix, min <= max);
      // Halved, so that the difference of the type's own bounds is finite.
      return (row, dice) -> 2 * (min / 2 + dice.nextDouble() * (max / 2 - min / 2));
    }

    private double number(String key) {
      return options.decimal(key).doubleValue();
    }

    private Generator decimals(String prefix, Type type) {
      BigDecimal most =
          BigDecimal.TEN.pow(type.precision()).subtract(BigDecimal.ONE).movePointLeft(type.scale());
      BigDecimal min =
          options.has(prefix + ".min") ? options.decimal(prefix + ".min") : most.negate();
      BigDecimal max = options.has(prefix + ".max") ? options.decimal(prefix + ".max") : most;
      checkOrder(prefix, min.compareTo(max) <= 0 && most.negate().compareTo(min) <= 0);
      BigDecimal range = max.min(most).subtract(min);
      return (row, dice) ->
          range
              .multiply(BigDecimal.valueOf(dice.nextDouble()))
              .add(min)
              .setScale(type.scale(), RoundingMode.DOWN);
    }

    private void checkOrder(String prefix, boolean ordered) {
      if (!ordered) {
        throw options.wrong(
            options.has(prefix + ".min") ? prefix + ".min" : prefix + ".max",
            "leaves no number between minimum and maximum");
      }
    }

    private Generator strings(String prefix, Type type) {
      boolean fixed = type.kind() == Kind.CHAR;
      int most = Math.min(type.precision(), MAX_LENGTH);
      int length = fixed ? most : Math.min(DEFAULT_STRING_LENGTH, most);
      if (options.has(prefix + ".length")) {
        length = (int) options.integer(prefix + ".length", fixed ? most : 1, most);
      }
      boolean varies = options.bool(prefix + ".var-len");
      if (varies && fixed) {
        throw options.wrong(
            prefix + ".var-len", "is for VARCHAR and STRING, and the column is CHAR");
      }
      int longest = length;
      return (row, dice) -> {
        char[] letters = new char[varies ? dice.nextInt(1, longest + 1) : longest];
        for (int i = 0; i < letters.length; i++) {
          letters[i] = LETTERS[dice.nextInt(LETTERS.length)];
        }
        return new String(letters);
      };
    }

    private Generator timestamps(String prefix) {
      long maxPastMs = options.duration(prefix + ".max-past").toMillis();
      return (row, dice) -> (clock.millis() - dice.nextLong(maxPastMs + 1)) * 1_000;
    }

    private Generator arrays(String prefix, Type type) {
      int length =
          options.has(prefix + ".length")
              ? (int) options.integer(prefix + ".length", 0, MAX_LENGTH)
              : DEFAULT_ARRAY_LENGTH;
      Generator element = column(prefix + ".element", type.children().getFirst());
      return (row, dice) -> {
        List<@Nullable Object> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
          values.add(element.next(row, dice));
        }
        return values;
      };
    }

    private Generator rows(String prefix, Type type) {
      List<Generator> fields = new ArrayList<>();
      for (int i = 0; i < type.names().size(); i++) {
        fields.add(column(prefix + "." + type.names().get(i), type.children().get(i)));
      }
      return (row, dice) -> {
        List<@Nullable Object> values = new ArrayList<>(fields.size());
        for (Generator field : fields) {
          values.add(field.next(row, dice));
        }
        return values;
      };
    }
  }
}
