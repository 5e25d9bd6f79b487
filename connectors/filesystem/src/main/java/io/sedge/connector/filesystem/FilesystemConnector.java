package io.sedge.connector.filesystem;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.filesystem.internal.FilesystemOptions;
import io.sedge.connector.filesystem.internal.FilesystemSinkFactory;
import io.sedge.connector.filesystem.internal.FilesystemSource;
import io.sedge.connector.filesystem.internal.Metadata;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The connector {@code filesystem}: a file, or a directory of files, as a table. */
public final class FilesystemConnector implements ConnectorFactory {
  @Override
  public String name() {
    return "filesystem";
  }

  @Override
  public List<Option> options() {
    return FilesystemOptions.DECLARED;
  }

  @Override
  public Map<String, Type> metadata() {
    return Metadata.TYPES;
  }

  @Override
  public boolean usesFormats() {
    return true;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.of(FilesystemSource.of(table, context));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(FilesystemSinkFactory.of(table, context));
  }
}
