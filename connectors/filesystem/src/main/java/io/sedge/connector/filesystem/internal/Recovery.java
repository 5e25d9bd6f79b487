package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Delivery;
import io.sedge.connector.TableDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Completes the files that earlier sinks of a table have left in progress. */
final class Recovery {
  private final TableDescriptor table;
  private final FilesystemOptions options;
  private final ConnectorContext context;

  Recovery(TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.options = options;
    this.context = context;
  }

  /**
   * Takes over from whoever has written a writer's rows: files end where the journal says. What
   * they have beyond is cut off, and comes again.
   */
  Journal of(Delivery.Writer writer) throws IOException {
    Journal journal = Journal.claim(options.path(), writer.name());
    Map<Path, Long> sure = new HashMap<>();
    journal.files().forEach(file -> sure.put(options.path().resolve(file.path()), file.bytes()));
    for (Map.Entry<String, List<Path>> left : hiddenByWriter(sure.keySet()).entrySet()) {
      if (journal.owns(left.getKey())) {
        try (WriterLock lock = WriterLock.takeOver(options.path(), left.getKey())) {
          for (Path hidden : left.getValue()) {
            complete(hidden, sure.get(hidden), lock != null);
          }
        }
      }
    }
    journal.forgetFiles();
    return journal;
  }

  /**
   * @param sureBytes null if the journal does not know it, so that it holds only rows that come
   *     again
   */
  private void complete(Path hidden, @Nullable Long sureBytes, boolean writerIsDead)
      throws IOException {
    if (!PartFile.isInProgress(hidden)) {
      return;
    }
    if (sureBytes == null) {
      Files.deleteIfExists(hidden);
    } else {
      published(PartFile.recover(hidden, sureBytes, writerIsDead));
    }
  }

  /** Completes what writers without a journal have left that have died: all whole lines. */
  void ofOthers() throws IOException {
    for (Map.Entry<String, List<Path>> left : hiddenByWriter(Set.of()).entrySet()) {
      if (Journal.isKept(options.path(), left.getKey())) {
        continue; // Its next sink knows more.
      }
      try (WriterLock lock = WriterLock.takeOver(options.path(), left.getKey())) {
        for (Path hidden : lock == null ? List.<Path>of() : left.getValue()) {
          if (PartFile.isInProgress(hidden)) {
            published(PartFile.recover(hidden));
          }
        }
      }
    }
  }

  /**
   * The hidden files by the writer that they are named after.
   *
   * @param known those that a journal knows: where the table had other partitions, they lie
   *     elsewhere
   */
  private Map<String, List<Path>> hiddenByWriter(Set<Path> known) throws IOException {
    Set<Path> hidden = new TreeSet<>(new SinkFiles(table, options, context).inProgress());
    known.stream().filter(file -> file.normalize().startsWith(options.path())).forEach(hidden::add);
    return hidden.stream().collect(Collectors.groupingBy(WriterLock::writer));
  }

  private void published(@Nullable Path visible) throws IOException {
    if (visible != null) {
      Durable.forceDirectory(visible.resolveSibling(""));
      context.report(
          Severity.INFO,
          "table %s: completed %s, which was left in progress".formatted(table.name(), visible));
    }
  }
}
