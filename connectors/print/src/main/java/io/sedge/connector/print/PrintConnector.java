package io.sedge.connector.print;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.StreamWriter;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The connector {@code print}: writes rows to standard output, one line each, as Flink's does:
 * {@code +I[pump-1, 21.5]}.
 */
public final class PrintConnector implements ConnectorFactory {
  private static final String IDENTIFIER = "print-identifier";
  private static final String STANDARD_ERROR = "standard-error";
  private static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              IDENTIFIER, Option.Kind.STRING, "A name that stands before each line, with >."),
          Option.withDefault(
              STANDARD_ERROR,
              Option.Kind.BOOLEAN,
              "false",
              "Whether to write to standard error instead."));

  /** Less than a job waits for its tables to be closed. */
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

  private final OutputStream output;
  private final OutputStream error;

  /** Writes to the streams of the process. */
  public PrintConnector() {
    this(new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err));
  }

  /** Writes to these streams and closes neither. */
  public PrintConnector(OutputStream output, OutputStream error) {
    this.output = output;
    this.error = error;
  }

  @Override
  public String name() {
    return "print";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    String prefix = options.find(IDENTIFIER).map(name -> name + "> ").orElse("");
    OutputStream stream = options.bool(STANDARD_ERROR) ? error : output;
    return Optional.of(new Printer(table.name(), table.schema(), prefix, stream, context));
  }

  private record Printer(
      String table, Schema schema, String prefix, OutputStream stream, ConnectorContext context)
      implements SinkFactory {
    @Override
    public ChangelogMode changelogMode() {
      return ChangelogMode.ALL;
    }

    @Override
    public Guarantee guarantee() {
      return Guarantee.AT_LEAST_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return new Lines(this, delivery.recoveryPoint());
    }
  }

  /** Writes a batch with one call, so that the lines of several sinks do not mix. */
  private static final class Lines implements Sink {
    private final Printer printer;
    private final StreamWriter writer;
    private final StringBuilder text = new StringBuilder();
    private long taken;
    private long written;
    private long bytes;
    private boolean closed;

    Lines(Printer printer, long recoveryPoint) {
      this.printer = printer;
      this.taken = recoveryPoint;
      this.written = recoveryPoint;
      this.writer =
          new StreamWriter(
              "sedge-print-" + printer.table(), printer.stream(), printer.context()::wakeUp);
    }

    @Override
    public boolean offer(NumberedBatch numbered) {
      checkFailure();
      if (!writer.hasRoom()) {
        return false;
      }
      Batch batch = numbered.batch();
      text.setLength(0);
      for (int row = 0; row < batch.rows(); row++) {
        text.append(printer.prefix());
        RowText.append(text, printer.schema(), batch, row);
        text.append('\n');
      }
      byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
      writer.add(lines);
      bytes += lines.length;
      taken = numbered.last();
      return true;
    }

    @Override
    public long flush() {
      checkFailure();
      written = writer.isWritten() ? taken : written;
      return written;
    }

    private void checkFailure() {
      IOException failure = writer.failure().orElse(null);
      if (failure != null) {
        throw new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "table %s: standard output cannot be written: %s"
                .formatted(printer.table(), failure.getMessage()),
            failure);
      }
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      long unwritten = writer.close(CLOSE_PATIENCE);
      if (unwritten > 0) {
        printer
            .context()
            .report(
                ConnectorContext.Severity.WARNING,
                "table %s: %,d bytes of rows are not written: standard output takes no more"
                    .formatted(printer.table(), unwritten));
      }
      checkFailure();
    }
  }
}
