package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.RecordSplitter;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a table, not opened yet. */
public final class FilesystemSource implements Source {
  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;
  private final boolean shard;
  private final @Nullable FileRange range;

  /**
   * @param shard whether this is a shard of a divided source
   * @param range the part of the files that it is; null for all
   */
  private FilesystemSource(
      TableDescriptor table,
      FilesystemOptions options,
      ConnectorContext context,
      boolean shard,
      @Nullable FileRange range) {
    this.table = table;
    this.options = options;
    this.context = context;
    this.shard = shard;
    this.range = range;
  }

  /** Checks the options, with those of the format. */
  public static FilesystemSource of(TableDescriptor table, ConnectorContext context) {
    FilesystemOptions options = FilesystemOptions.of(table, context);
    FilesystemOptions.check(table.name(), options.path(), FileAccess.Use.READ, context);
    FilesystemSource source = new FilesystemSource(table, options, context, false, null);
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
        partitions,
        range);
  }

  @Override
  public boolean bounded() {
    return options.monitorInterval().isEmpty();
  }

  /** What is replayed in its own time is not read faster by many. */
  @Override
  public Division division() {
    if (shard) {
      return Division.WHOLE;
    }
    if (options.byDevice()) {
      return Division.BY_DEVICE;
    }
    return bounded() && options.replaySpeed().isEmpty() ? Division.BY_PART : Division.WHOLE;
  }

  /** The files of this machine, or a part of the files. */
  @Override
  public Source shard(String name) {
    return switch (division()) {
      case Division.ByDevice _ -> new FilesystemSource(table, options, context, true, null);
      case Division.ByPart _ ->
          new FilesystemSource(table, options, context, true, FileRange.of(name));
      case Division.Whole _, Division.Undiscovered _, Division.ByKey _ -> Source.super.shard(name);
    };
  }

  @Override
  public List<Part> parts(PartSizes sizes) {
    if (!(division() instanceof Division.ByPart)) {
      return Source.super.parts(sizes);
    }
    List<FoundFile> files = new FileLister(table.name(), options, context).list();
    for (FoundFile file : files) {
      FilesystemOptions.check(table.name(), file.path(), FileAccess.Use.READ, context);
    }
    try {
      RecordSplitter splitter = context.formats().of(table).splitter(table.options());
      return new FileCutter(files, splitter, sizes).cut();
    } catch (IOException e) {
      throw FilesystemOptions.failed(table.name(), options.path(), "cannot be cut into parts", e);
    }
  }

  @Override
  public SourceReader open() {
    FilesystemReader reader = reader();
    reader.open();
    if (bounded()) {
      // A path that is not there is told at once.
      FileLister lister = new FileLister(table.name(), options, context);
      List<FoundFile> _ = range == null ? lister.list() : lister.list(range.names());
    }
    return reader;
  }
}
