package io.sedge.site.internal.operation;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.SecretFiles;
import io.sedge.site.api.LogLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.logging.ErrorManager;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * What a device has said, in its directory: beside the journal, since not all gateways have one,
 * and for a bundle of a device that does not run. {@value #FILES} files of {@value #FILE_BYTES}
 * bytes; {@code device.0.log} is the newest. A line that a crash has torn is ended by the next
 * start. What cannot be written (a full disk) is not: the device goes on. Any thread.
 */
public final class LogFile implements AutoCloseable {
  static final int FILES = 4;
  static final int FILE_BYTES = 1 << 20;

  private final FileHandler handler;

  private LogFile(FileHandler handler) {
    this.handler = handler;
  }

  /** Where the files of a data directory are. */
  public static Path directory(Path data) {
    return data.resolve("log");
  }

  /** Goes on with what is there. */
  public static LogFile open(Path data) throws IOException {
    Path directory = directory(data);
    SecretFiles.makeDirectory(directory);
    endLine(directory.resolve("device.0.log"));
    String pattern = directory.toAbsolutePath().toString().replace("%", "%%") + "/device.%g.log";
    FileHandler handler = new FileHandler(pattern, FILE_BYTES, FILES, true);
    handler.setEncoding(StandardCharsets.UTF_8.name());
    handler.setLevel(Level.ALL);
    handler.setFormatter(new Plain());
    handler.setErrorManager(new Quiet());
    return new LogFile(handler);
  }

  private static void endLine(Path newest) throws IOException {
    if (Files.exists(newest) && Files.size(newest) > 0) {
      try (RandomAccessFile file = new RandomAccessFile(newest.toFile(), "rw")) {
        file.seek(file.length() - 1);
        if (file.read() != '\n') {
          file.write('\n');
        }
      }
    }
  }

  /** Writes a line; returns at once but for the disk. */
  public void write(LogLine line) {
    LogRecord entry = new LogRecord(level(line.severity()), text(line));
    entry.setInstant(Instant.ofEpochMilli(line.atMillis()));
    handler.publish(entry);
  }

  private static Level level(Severity severity) {
    return switch (severity) {
      case INFO -> Level.INFO;
      case WARNING -> Level.WARNING;
      case ERROR -> Level.SEVERE;
    };
  }

  private static String text(LogLine line) {
    return "%s %s%s"
        .formatted(line.severity(), line.task().isEmpty() ? "" : line.task() + ": ", line.text());
  }

  @Override
  public void close() {
    handler.close();
  }

  private static final class Plain extends Formatter {
    @Override
    public String format(LogRecord entry) {
      return entry.getInstant() + " " + entry.getMessage() + "\n";
    }
  }

  /** The default one would write to standard error. */
  private static final class Quiet extends ErrorManager {
    @Override
    public void error(String message, Exception cause, int code) {}
  }
}
