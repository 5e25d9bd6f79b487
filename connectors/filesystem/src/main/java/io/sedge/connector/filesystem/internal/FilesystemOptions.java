package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The options of a table.
 *
 * @param path absolute
 * @param monitorInterval how often to look for new files; empty where they are read once
 * @param follow whether files are read on as they grow
 * @param pattern what the absolute path of a file must match
 * @param replaySpeed how many seconds of the data pass in a second; empty: as fast as possible
 * @param byDevice whether each device of a site has files of its own under the path
 * @param timeColumn the position of the column that holds the data's time, or -1
 * @param onExisting what a sink does with files that earlier runs have written
 */
public record FilesystemOptions(
    Path path,
    Optional<Duration> monitorInterval,
    boolean follow,
    Optional<Pattern> pattern,
    Optional<Double> replaySpeed,
    int timeColumn,
    boolean byDevice,
    String defaultPartition,
    long rollingSizeBytes,
    Duration rolloverInterval,
    Duration inactivityInterval,
    Duration checkInterval,
    OnExisting onExisting) {

  /** What a sink does with files of earlier runs. */
  enum OnExisting {
    APPEND,
    FAIL
  }

  private static final String PATH = "path";
  private static final String MONITOR = "source.monitor-interval";
  private static final String PATTERN = "source.path.regex-pattern";
  private static final String FOLLOW = "source.follow";
  private static final String SPEED = "replay.speed";
  private static final String TIME_COLUMN = "replay.time-column";
  private static final String SHARD_BY = "shard.by";
  private static final String DEVICE = "device";
  private static final String DEFAULT_PARTITION = "partition.default-name";
  private static final String ROLL_SIZE = "sink.rolling-policy.file-size";
  private static final String ROLL_AGE = "sink.rolling-policy.rollover-interval";
  private static final String ROLL_IDLE = "sink.rolling-policy.inactivity-interval";
  private static final String CHECK = "sink.rolling-policy.check-interval";
  private static final String ON_EXISTING = "sink.on-existing";

  private static final Duration DEFAULT_MONITOR = Duration.ofSeconds(1);

  /** The declarations, Flink's first, then Sedge's own. */
  public static final List<Option> DECLARED =
      List.of(
          Option.required(
              PATH,
              Option.Kind.STRING,
              "The file or directory; file:// may stand before it, and it may be relative to the"
                  + " working directory. A sink needs a directory. Files are found in"
                  + " subdirectories too; names that begin with . or _ are passed over."),
          Option.optional(
                  MONITOR,
                  Option.Kind.DURATION,
                  "How often to look for new files; the table never ends then. Without it the files"
                      + " found at the start are read once.")
              .asTuning(),
          Option.optional(
              PATTERN,
              Option.Kind.STRING,
              "A regular expression that the absolute path of a file must match."),
          Option.withDefault(
              DEFAULT_PARTITION,
              Option.Kind.STRING,
              "__DEFAULT_PARTITION__",
              "The partition for rows whose partition column is NULL or empty."),
          Option.withDefault(
                  ROLL_SIZE,
                  Option.Kind.BYTES,
                  "128 mb",
                  "A file of the sink ends above this size.")
              .asTuning(),
          Option.withDefault(
                  ROLL_AGE,
                  Option.Kind.DURATION,
                  "30 min",
                  "A file of the sink ends when it has been open for so long.")
              .asTuning(),
          Option.withDefault(
                  ROLL_IDLE,
                  Option.Kind.DURATION,
                  "30 min",
                  "A file of the sink ends when nothing was written for so long.")
              .asTuning(),
          Option.withDefault(
                  CHECK,
                  Option.Kind.DURATION,
                  "1 min",
                  "How often the sink looks whether a file is to end for its age.")
              .asTuning(),
          Option.choice(
              ON_EXISTING,
              "append",
              List.of("append", "fail"),
              "What a sink does that finds files of earlier runs: add to them and say so, or refuse"
                  + " to start. Sedge's own."),
          Option.withDefault(
              FOLLOW,
              Option.Kind.BOOLEAN,
              "false",
              "Whether files are read on as they grow, also when they are rotated, as tail -F does;"
                  + " the table never ends then. Sedge's own."),
          Option.optional(
                  SPEED,
                  Option.Kind.DECIMAL,
                  "Replays the data in its own time: 1 is real time, 60 sixty times as fast."
                      + " Without it reading is as fast as possible. Sedge's own.")
              .asTuning(),
          Option.optional(
              TIME_COLUMN,
              Option.Kind.STRING,
              "The TIMESTAMP column that holds the data's own time, for replay.speed. Sedge's"
                  + " own."),
          Option.optional(
              SHARD_BY,
              Option.Kind.STRING,
              "On a site: device says that each device has files of its own under the path, and"
                  + " reads them. Without it they are the same on all devices. Sedge's own."));

  static FilesystemOptions of(TableDescriptor table, ConnectorContext context) {
    if (!context.formats().isText(table, Partitions.payloadColumns(table))) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: 'format' = '%s' is not text, so its rows cannot stand on the lines of a file; use json, csv, or 'raw.encoding' = 'text'"
              .formatted(table.name(), table.options().get(Formats.FORMAT)));
    }
    Options options = Options.of(table, DECLARED);
    boolean follow = options.bool(FOLLOW);
    Optional<Duration> monitor =
        options.has(MONITOR)
            ? Optional.of(positive(options, MONITOR))
            : follow ? Optional.of(DEFAULT_MONITOR) : Optional.empty();
    return new FilesystemOptions(
        path(options, context),
        monitor,
        follow,
        pattern(options),
        speed(options),
        timeColumn(options, table),
        byDevice(options),
        options.string(DEFAULT_PARTITION),
        options.bytes(ROLL_SIZE),
        positive(options, ROLL_AGE),
        positive(options, ROLL_IDLE),
        positive(options, CHECK),
        OnExisting.valueOf(options.choice(ON_EXISTING).toUpperCase(Locale.ROOT)));
  }

  private static boolean byDevice(Options options) {
    String by = options.find(SHARD_BY).orElse(DEVICE);
    if (!by.equals(DEVICE)) {
      throw options.wrong(SHARD_BY, "is not " + DEVICE);
    }
    return options.has(SHARD_BY);
  }

  private static Duration positive(Options options, String key) {
    Duration value = options.duration(key);
    if (value.isZero()) {
      throw options.wrong(key, "is not above zero");
    }
    return value;
  }

  private static Path path(Options options, ConnectorContext context) {
    String text = options.string(PATH);
    if (text.isBlank()) {
      throw options.wrong(PATH, "is empty");
    }
    if (!text.startsWith("file:") && text.matches("[A-Za-z][A-Za-z0-9+.-]+://.*")) {
      throw options.wrong(PATH, "is not a local path; file:// is the only scheme there is");
    }
    try {
      String local = text.startsWith("file:") ? local(options, text) : text;
      return context.directory().resolve(local).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw options.wrong(PATH, "is not a path: " + e.getReason());
    }
  }

  private static String local(Options options, String text) {
    try {
      URI uri = new URI(text.replace(" ", "%20"));
      if (uri.getAuthority() != null) {
        throw options.wrong(
            PATH, "names the host " + uri.getAuthority() + "; write file:///path for a local path");
      }
      return uri.isOpaque() ? uri.getSchemeSpecificPart() : uri.getPath();
    } catch (URISyntaxException e) {
      throw options.wrong(PATH, "is not a URI: " + e.getReason());
    }
  }

  private static Optional<Pattern> pattern(Options options) {
    try {
      return options.find(PATTERN).map(Pattern::compile);
    } catch (PatternSyntaxException e) {
      throw options.wrong(PATTERN, "is not a regular expression: " + e.getDescription());
    }
  }

  private static Optional<Double> speed(Options options) {
    if (!options.has(SPEED)) {
      return Optional.empty();
    }
    double speed = options.decimal(SPEED).doubleValue();
    if (!(speed > 0) || Double.isInfinite(speed)) {
      throw options.wrong(SPEED, "is not above zero");
    }
    if (!options.has(TIME_COLUMN)) {
      throw options.wrong(SPEED, "needs '" + TIME_COLUMN + "' too");
    }
    return Optional.of(speed);
  }

  private static int timeColumn(Options options, TableDescriptor table) {
    if (!options.has(TIME_COLUMN)) {
      return -1;
    }
    int column = table.schema().indexOf(options.string(TIME_COLUMN));
    if (column < 0 || !table.schema().type(column).kind().isTimestamp()) {
      throw options.wrong(
          TIME_COLUMN,
          "is not one of the table's TIMESTAMP columns: "
              + String.join(
                  ", ",
                  table.schema().fields().stream()
                      .filter(field -> field.type().kind().isTimestamp())
                      .map(field -> field.name())
                      .toList()));
    }
    if (!options.has(SPEED)) {
      throw options.wrong(TIME_COLUMN, "needs '" + SPEED + "' too");
    }
    return column;
  }

  /**
   * Returns if a file of a table may be used so.
   *
   * @throws ConnectorException of kind USER if it may not
   */
  static void check(String table, Path file, FileAccess.Use use, ConnectorContext context) {
    context.files().check("table %s: '%s'".formatted(table, PATH), file, use);
  }

  /** An error of the file system, with the path that it is about. */
  static ConnectorException failed(String table, Path path, String what, Exception cause) {
    return new ConnectorException(
        ConnectorException.Kind.FILE,
        "table %s: %s %s: %s".formatted(table, path, what, reason(path, cause)),
        cause);
  }

  /** Why, in words where there are some. */
  private static String reason(Path path, Exception cause) {
    if (cause instanceof FileSystemException failure) {
      String file = failure.getFile();
      String where = file == null || file.equals(path.toString()) ? "it" : file;
      switch (failure) {
        case NoSuchFileException _ -> {
          return where + " does not exist";
        }
        case AccessDeniedException _ -> {
          return "this user may not use " + where;
        }
        case FileAlreadyExistsException _ -> {
          return where + " is there already, and no directory";
        }
        default -> {
          if (failure.getReason() != null) {
            return where.equals("it") ? failure.getReason() : where + ", " + failure.getReason();
          }
        }
      }
    }
    String message = cause.getMessage();
    return cause.getClass().getSimpleName()
        + (message == null || message.equals(path.toString()) ? "" : ", " + message);
  }
}
