package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Checks the declaration of a table and makes its source or sink. */
public final class JdbcTables {
  public static final List<Option> OPTIONS = JdbcOptions.ALL;

  private static final int MOST_PARTITIONS = 1_000;
  private static final int MOST_FETCHED = 1_000_000;
  private static final int DEFAULT_FETCHED = 1_024;

  private JdbcTables() {}

  /**
   * The source of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if its options or columns do not fit
   */
  public static Source source(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    checkTypes(table);
    int fetched = (int) options.integer(JdbcOptions.FETCH_SIZE, 0, MOST_FETCHED);
    Database database = Database.of(table, options, context, Database.Use.READ);
    return new JdbcSource(
        new ScanSettings(
            table,
            context,
            database,
            path(options),
            fetched == 0 ? DEFAULT_FETCHED : fetched,
            options.duration(JdbcOptions.PATIENCE),
            range(table, options)),
        partitions(options));
  }

  /**
   * The sink of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if its options or columns do not fit
   */
  public static SinkFactory sink(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    checkTypes(table);
    long queue = options.bytes(JdbcOptions.QUEUE);
    if (queue < 1) {
      throw options.wrong(JdbcOptions.QUEUE, "is less than 1 byte");
    }
    OptionalInt retries =
        options.has(JdbcOptions.MAX_RETRIES)
            ? OptionalInt.of((int) options.integer(JdbcOptions.MAX_RETRIES, 0, Integer.MAX_VALUE))
            : OptionalInt.empty();
    return new JdbcSinkFactory(
        new SinkSettings(
            table,
            context,
            Database.of(table, options, context, Database.Use.WRITE),
            path(options),
            options.choice(JdbcOptions.GUARANTEE).equals(JdbcOptions.EXACTLY_ONCE),
            options.duration(JdbcOptions.PATIENCE),
            (int) options.integer(JdbcOptions.MAX_ROWS, 0, Integer.MAX_VALUE),
            options.duration(JdbcOptions.INTERVAL),
            retries,
            queue));
  }

  private static void checkTypes(TableDescriptor table) {
    for (Schema.Field field : table.schema().fields()) {
      if (!Dialect.has(field.type())) {
        throw Failures.user(
            "table %s: column `%s` is %s, which connector 'jdbc' cannot read or write; declare it as STRING, or leave it out"
                .formatted(table.name(), field.name(), field.type()));
      }
    }
  }

  private static String path(Options options) {
    String path = options.string(JdbcOptions.TABLE);
    if (Stream.of(path.split("\\.", -1)).anyMatch(String::isBlank)
        || path.split("\\.", -1).length > 2) {
      throw options.wrong(JdbcOptions.TABLE, "is not a table or schema.table");
    }
    return path;
  }

  private static Optional<KeyRange> range(TableDescriptor table, Options options) {
    List<String> all =
        List.of(
            JdbcOptions.PARTITION_COLUMN,
            JdbcOptions.PARTITIONS,
            JdbcOptions.LOWER_BOUND,
            JdbcOptions.UPPER_BOUND);
    List<String> missing = all.stream().filter(key -> !options.has(key)).toList();
    if (missing.size() == all.size()) {
      return Optional.empty();
    }
    if (!missing.isEmpty()) {
      throw Failures.user(
          "table %s: option '%s' is missing; the four of 'scan.partition' belong together"
              .formatted(table.name(), missing.getFirst()));
    }
    String name = options.string(JdbcOptions.PARTITION_COLUMN);
    int column = table.schema().indexOf(name);
    if (column < 0 || !table.schema().type(column).kind().isInteger()) {
      throw options.wrong(
          JdbcOptions.PARTITION_COLUMN, "is no column of the table that is a whole number");
    }
    long from = options.integer(JdbcOptions.LOWER_BOUND);
    long to = options.integer(JdbcOptions.UPPER_BOUND);
    if (from > to) {
      throw options.wrong(
          JdbcOptions.LOWER_BOUND, "is above '%s'".formatted(JdbcOptions.UPPER_BOUND));
    }
    return Optional.of(new KeyRange(column, from, to));
  }

  private static int partitions(Options options) {
    return options.has(JdbcOptions.PARTITIONS)
        ? (int) options.integer(JdbcOptions.PARTITIONS, 1, MOST_PARTITIONS)
        : 1;
  }
}
