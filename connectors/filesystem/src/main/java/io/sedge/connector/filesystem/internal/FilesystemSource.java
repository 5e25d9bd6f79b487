package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;

/** The files of a table, not opened yet. */
public final class FilesystemSource implements Source {
  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;

  private FilesystemSource(
      TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /** Checks the options, with those of the format. */
  public static FilesystemSource of(TableDescriptor table, ConnectorContext context) {
    FilesystemSource source =
        new FilesystemSource(table, FilesystemOptions.of(table, context), context);
    source.reader(); // A format that cannot read the columns says so now.
    return source;
  }

  private FilesystemReader reader() {
    Partitions partitions = new Partitions(table, options, context);
    return new FilesystemReader(
        table,
        options,
        context,
        context.formats().decoder(table, partitions.payloadColumns()),
        partitions);
  }

  @Override
  public boolean bounded() {
    return options.monitorInterval().isEmpty();
  }

  @Override
  public SourceReader open() {
    FilesystemReader reader = reader();
    if (bounded()) {
      new FileLister(table.name(), options, context)
          .list(); // A path that is not there is told at once.
    }
    return reader;
  }
}
