package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

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
    Partitions partitions = new Partitions(table, options, context);
    context.formats().encoder(table, partitions.payloadColumns());
    return new FilesystemSinkFactory(table, options, context);
  }

  @Override
  public boolean acceptsUpdates() {
    return false;
  }

  @Override
  public Sink open() {
    Path directory = options.path();
    if (Files.isRegularFile(directory)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: 'path' = '%s' is a file; a table that is written needs a directory"
              .formatted(table.name(), directory));
    }
    String writer = UUID.randomUUID().toString();
    WriterLock lock;
    try {
      Durable.createDirectories(directory);
      recover(directory);
      lock = WriterLock.begin(directory, writer);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table.name(), directory, "cannot be written", e);
    }
    Partitions partitions = new Partitions(table, options, context);
    List<Integer> columns = partitions.payloadColumns();
    return new FilesystemSink(
        table.name(),
        options,
        context,
        partitions,
        context.formats().encoder(table, columns),
        context.formats().of(table).header(table.schema(), columns, table.options()),
        writer,
        lock);
  }

  /** Completes what writers that died have left. */
  private void recover(Path directory) throws IOException {
    Map<String, List<Path>> byWriter =
        new FileLister(table.name(), options, context)
            .inProgress().stream().collect(Collectors.groupingBy(WriterLock::writer));
    for (Map.Entry<String, List<Path>> left : byWriter.entrySet()) {
      try (WriterLock lock = WriterLock.takeOver(directory, left.getKey())) {
        if (lock != null) {
          complete(left.getValue());
        }
      }
    }
  }

  private void complete(List<Path> left) throws IOException {
    for (Path hidden : left) {
      Path visible = PartFile.isInProgress(hidden) ? PartFile.recover(hidden) : null;
      if (visible != null) {
        Durable.forceDirectory(visible.resolveSibling(""));
        context.report(
            ConnectorContext.Severity.INFO,
            "table %s: completed %s, which was left in progress".formatted(table.name(), visible));
      }
    }
  }
}
