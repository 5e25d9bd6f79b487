package io.sedge.learning;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a script says that a model is to be watched for drift: whether the rows that it scores still
 * look like those that it was trained from.
 *
 * @param table that takes what was found, a row for each feature and window
 * @param window of event time over which rows are counted
 * @param leastRows of a window; of one with fewer nothing is said
 */
public record DriftOptions(String table, Duration window, long leastRows) {
  public static final String TABLE = "drift.table";
  private static final String WINDOW = "drift.window";
  private static final String LEAST_ROWS = "drift.least-rows";
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(31);
  private static final long FEWEST = 50;

  /** The options, which each provider takes whose models know their training rows. */
  public static final List<Option> ALL =
      List.of(
          Option.optional(
              TABLE,
              Option.Kind.STRING,
              "the table that is told how far the scored rows are from those of the training"),
          Option.withDefault(
              WINDOW,
              Option.Kind.DURATION,
              "1 h",
              "over which time rows are compared, from 1 s to 31 d of event time"),
          Option.withDefault(
              LEAST_ROWS,
              Option.Kind.INTEGER,
              "500",
              "how many rows a window has at least, from 50; nothing is said of one with fewer"));

  /**
   * What a script says; empty if the model is not to be watched.
   *
   * @throws ConnectorException of kind USER if a value is not allowed
   */
  public static Optional<DriftOptions> of(ModelDescriptor model) {
    Map<String, String> given = new HashMap<>(model.options());
    given.keySet().retainAll(List.of(TABLE, WINDOW, LEAST_ROWS));
    Options options = Options.of(model.name(), ALL, given);
    Duration window = options.duration(WINDOW);
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw options.wrong(WINDOW, "is not from 1 s to 31 d");
    }
    long leastRows = options.integer(LEAST_ROWS, FEWEST, Integer.MAX_VALUE);
    return options.find(TABLE).map(table -> new DriftOptions(table, window, leastRows));
  }
}
