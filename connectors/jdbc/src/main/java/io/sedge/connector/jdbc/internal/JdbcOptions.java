package io.sedge.connector.jdbc.internal;

import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import java.time.Duration;
import java.util.List;

/** The options, under Flink's names. */
final class JdbcOptions {
  static final String URL = "url";
  static final String TABLE = "table-name";
  static final String USER = "username";
  static final String PASSWORD = "password";
  static final String PATIENCE = "connection.max-retry-timeout";
  static final String PARTITION_COLUMN = "scan.partition.column";
  static final String PARTITIONS = "scan.partition.num";
  static final String LOWER_BOUND = "scan.partition.lower-bound";
  static final String UPPER_BOUND = "scan.partition.upper-bound";
  static final String FETCH_SIZE = "scan.fetch-size";
  static final String GUARANTEE = "sink.delivery-guarantee";
  static final String MAX_ROWS = "sink.buffer-flush.max-rows";
  static final String INTERVAL = "sink.buffer-flush.interval";
  static final String MAX_RETRIES = "sink.max-retries";
  static final String QUEUE = "sink.queue-bytes";

  /** The values of {@link #GUARANTEE}. */
  static final String EXACTLY_ONCE = "exactly-once";

  static final List<Option> ALL =
      List.of(
          Option.required(
              URL,
              Kind.STRING,
              "The database: jdbc:postgresql://host:5432/name, jdbc:mariadb://host:3306/name,"
                  + " jdbc:mysql://host:3306/name or jdbc:sqlite:file.db."),
          Option.required(
              TABLE,
              Kind.STRING,
              "The table, or schema.table, spelt as in the database: upper and lower case count."),
          Option.optional(USER, Kind.STRING, "The user. Needs 'password'.").asTuning(),
          Option.optional(PASSWORD, Kind.STRING, "The password, as ${secret:NAME}.").asTuning(),
          Option.optional(
                  "driver",
                  Kind.STRING,
                  "Flink's class of the driver; has no effect here: 'url' says which it is.")
              .asTuning(),
          Option.durationWithDefault(
                  PATIENCE,
                  Duration.ofSeconds(60),
                  "For so long a table that is opened waits for a database that is away.")
              .asTuning(),
          Option.optional(
              PARTITION_COLUMN,
              Kind.STRING,
              "Source: a whole number, by which a site cuts the table into parts. Needs the other"
                  + " three."),
          Option.optional(PARTITIONS, Kind.INTEGER, "Source: how many parts there are, 1 to 1000."),
          Option.optional(
              LOWER_BOUND,
              Kind.INTEGER,
              "Source: where the first part begins; as in Flink, rows before it are not read."),
          Option.optional(
              UPPER_BOUND,
              Kind.INTEGER,
              "Source: the last value of the last part; as in Flink, rows after it are not read."),
          Option.withDefault(
                  FETCH_SIZE,
                  Kind.INTEGER,
                  "0",
                  "Source: how many rows the driver fetches at once; 0 is 1024.")
              .asTuning(),
          Option.optional(
                  "scan.auto-commit",
                  Kind.BOOLEAN,
                  "Flink's way to read row by row; has no effect here: rows are always streamed.")
              .asTuning(),
          Option.choice(
              GUARANTEE,
              EXACTLY_ONCE,
              List.of(EXACTLY_ONCE, "at-least-once"),
              "Sink: whether the table sedge_delivered keeps how far a writer has come, so that no"
                  + " row is there twice. Sedge's own."),
          Option.withDefault(
                  MAX_ROWS,
                  Kind.INTEGER,
                  "100",
                  "Sink: so many waiting rows begin a transaction before the job's commit asks for"
                      + " it; 0: their number does not.")
              .asTuning(),
          Option.durationWithDefault(
                  INTERVAL,
                  Duration.ofSeconds(1),
                  "Sink: a row that has waited for so long begins one likewise; 0 ms: at once.")
              .asTuning(),
          Option.optional(
                  MAX_RETRIES,
                  Kind.INTEGER,
                  "Sink: how often in a row writing is tried again before the job fails; unless"
                      + " set, until the database takes the rows.")
              .asTuning(),
          Option.withDefault(
                  QUEUE,
                  Kind.BYTES,
                  "16 mb",
                  "Sink: what may wait for the database; when it is full the job waits. Sedge's"
                      + " own.")
              .asTuning(),
          Option.optional(
                  "sink.parallelism",
                  Kind.INTEGER,
                  "Flink's number of writers; has no effect here.")
              .asTuning());

  private JdbcOptions() {}
}
