package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.PayloadWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The directory that a table is written to, not opened yet. */
public final class FilesystemSinkFactory implements SinkFactory {
  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;

  private FilesystemSinkFactory(
      TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /** Checks the options, with those of the format. */
  public static FilesystemSinkFactory of(TableDescriptor table, ConnectorContext context) {
    FilesystemOptions options = FilesystemOptions.of(table, context);
    if (!table.metadata().isEmpty()) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: its metadata columns can be read, not written; declare them VIRTUAL"
              .formatted(table.name()));
    }
    FilesystemOptions.check(table.name(), options.path(), FileAccess.Use.WRITE, context);
    Partitions partitions = new Partitions(table, options, context);
    context.formats().encoder(table, partitions.payloadColumns());
    return new FilesystemSinkFactory(table, options, context);
  }

  /** Lines stay as they are written, so a change must be a line of its own. */
  @Override
  public ChangelogMode changelogMode() {
    return context.formats().of(table).writesChanges()
        ? ChangelogMode.ALL
        : ChangelogMode.INSERT_ONLY;
  }

  @Override
  public Optional<String> updatesRemedy() {
    return Optional.of("'format' = 'debezium-json', which writes each change as a line");
  }

  /** Whoever delivers finds what others have delivered, if it reaches the same directory. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.EXACTLY_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    Path directory = options.path();
    if (Files.isRegularFile(directory)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: 'path' = '%s' is a file; a table that is written needs a directory"
              .formatted(table.name(), directory));
    }
    FilesystemOptions.check(table.name(), directory, FileAccess.Use.WRITE, context);
    Partitions partitions = new Partitions(table, options, context);
    List<Integer> columns = partitions.payloadColumns();
    PayloadWriter payloads =
        new PayloadWriter(table, context.formats().encoder(table, columns), context);
    payloads.open();
    String writer;
    @Nullable Journal journal;
    WriterLock lock;
    try {
      Durable.createDirectories(directory);
      Recovery recovery = new Recovery(table, options, context);
      journal = delivery.writer().isPresent() ? recovery.of(delivery.writer().get()) : null;
      recovery.ofOthers();
      if (found(delivery, journal) < delivery.firstRow()) {
        new EarlierRuns(table, options, context)
            .settle(file -> journal != null && journal.owns(WriterLock.writer(file)));
      }
      writer = journal == null ? UUID.randomUUID().toString() : journal.writerOfFiles();
      lock = WriterLock.begin(directory, writer);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table.name(), directory, "cannot be written", e);
    }
    return new FilesystemSink(
        table.name(),
        options,
        context,
        partitions,
        payloads,
        context.formats().of(table).header(table.schema(), columns, table.options()),
        writer,
        lock,
        journal,
        found(delivery, journal));
  }

  /** The sequence up to which the directory has rows. */
  private static long found(Delivery delivery, @Nullable Journal journal) {
    return Math.max(delivery.recoveryPoint(), journal == null ? 0 : journal.sequence());
  }
}
