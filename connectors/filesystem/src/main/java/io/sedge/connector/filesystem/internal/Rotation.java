package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tells which of the followed files became which of those found now.
 *
 * <p>A file is the same, whatever it is called, if its identity (where the file system has any;
 * else its name) is the same, it is no shorter than what was read of it and, where its name, its
 * size or its time has changed, it begins as it began: the number of a deleted file is given to the
 * next one soon. One that is missing was packed into a new file of a name that ends in {@code .gz}
 * whose content begins as it began; so that this is certain, {@code x.gz} is left alone as long as
 * {@code x} is there. What was renamed, packed or deleted is read to its end before a new file of
 * its name.
 */
final class Rotation {
  private static final String PACKED = ".gz";

  private final String table;
  private final ConnectorContext context;
  private final FileLister lister;
  private final Map<String, KnownFile> known;

  /** What was found of the known files. */
  private final Set<KnownFile> there = new HashSet<>();

  /** Known files whose identity another one has now, or the same with another content. */
  private final Set<KnownFile> replaced = new LinkedHashSet<>();

  /** Takes a file out of those that are open or waiting. */
  private final Consumer<KnownFile> release;

  /** By directory and identity: the files in it, whether they belong to the table or not. */
  private final Map<Path, Map<String, Path>> siblings = new HashMap<>();

  Rotation(
      String table,
      ConnectorContext context,
      FileLister lister,
      Map<String, KnownFile> known,
      Consumer<KnownFile> release) {
    this.release = release;
    this.table = table;
    this.context = context;
    this.lister = lister;
    this.known = known;
  }

  static String key(FoundFile file) {
    return file.identity().isEmpty() ? file.name() : file.identity();
  }

  void apply(List<FoundFile> found) {
    Set<String> names = new HashSet<>();
    List<FoundFile> moved = new ArrayList<>();
    for (FoundFile file : found) {
      names.add(file.name());
      KnownFile same = known.get(key(file));
      if (same == null || !same.found.name().equals(file.name())) {
        moved.add(file);
      } else if (isSame(same, file)) {
        same.found = file;
        there.add(same);
      } else {
        moved.add(file);
      }
    }
    List<FoundFile> added = new ArrayList<>();
    moved.forEach(file -> renamed(file, added));
    Set<KnownFile> missing = new LinkedHashSet<>(replaced);
    missing.addAll(known.values());
    missing.removeAll(there);
    added.removeIf(
        file -> isPacked(file) && (isBeside(file, names) || isPackedFrom(missing, file)));
    added.sort( // The oldest first; where that is not known, app.log.1 before app.log.
        Comparator.comparingLong(FoundFile::modifiedMs)
            .thenComparing(FoundFile::name, Comparator.reverseOrder()));
    added.forEach(file -> known.putIfAbsent(key(file), new KnownFile(file)));
    missing.forEach(this::gone);
  }

  /** A file that has, or had, another name, or a new one. */
  private void renamed(FoundFile file, List<FoundFile> added) {
    KnownFile same = known.get(key(file));
    if (same == null) {
      added.add(file);
    } else if (there.contains(same)) {
      return; // It has two names.
    } else if (isSame(same, file)) {
      same.leaves(file);
      there.add(same);
    } else {
      forget(same);
      replaced.add(same);
      added.add(file);
    }
  }

  private void forget(KnownFile file) {
    known.remove(key(file.found), file);
    release.accept(file);
  }

  private boolean isSame(KnownFile one, FoundFile other) {
    if (!one.canBe(other)) {
      return false;
    }
    return one.found.equals(other) || beginsLike(one, other.path());
  }

  private static boolean beginsLike(KnownFile one, Path path) {
    return one.fingerprint().isIn(beginning(path));
  }

  private static byte[] beginning(Path path) {
    try {
      return FileFingerprint.read(path);
    } catch (IOException e) {
      return new byte[0]; // Gone again, or packed and not complete; the next listing looks again.
    }
  }

  private static boolean isPacked(FoundFile file) {
    return file.name().endsWith(PACKED);
  }

  private static boolean isBeside(FoundFile packed, Set<String> names) {
    return names.contains(packed.name().substring(0, packed.name().length() - PACKED.length()));
  }

  private boolean isPackedFrom(Set<KnownFile> missing, FoundFile packed) {
    if (missing.isEmpty()) {
      return false;
    }
    byte[] beginning = beginning(packed.path());
    for (KnownFile file : missing) {
      if (!isPacked(file.found)
          && file.fingerprint().bytes() > 0
          && file.fingerprint().isIn(beginning)) {
        missing.remove(file);
        pack(file, packed);
        return true;
      }
    }
    return false;
  }

  private void pack(KnownFile file, FoundFile packed) {
    forget(file);
    known.put(key(packed), file);
    file.packedInto(packed);
    there.add(file);
  }

  /** A file that the listing does not show any more: outside the pattern, renamed or deleted. */
  private void gone(KnownFile file) {
    if (file.reader() != null) {
      file.leaves(file.found);
    } else if (file.isComplete()) {
      forget(file);
    } else if (!file.isLeaving()) {
      findElsewhere(file);
    } else if (!file.queued) {
      lost(file); // It went away again before it was opened.
    }
  }

  private void findElsewhere(KnownFile file) {
    try {
      Optional<Path> path = sibling(file);
      if (path.isEmpty()) {
        lost(file);
        return;
      }
      FoundFile now = lister.look(path.get());
      if (!key(now).equals(key(file.found))) {
        pack(file, now);
        return;
      }
      file.leaves(now);
      if (!file.isLeaving()) {
        forget(file); // Nothing is unread, and its name belongs to the table no more.
      }
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, file.found.path(), "cannot be looked for", e);
    }
  }

  private void lost(KnownFile file) {
    if (replaced.contains(file)) {
      context.report(
          Severity.INFO,
          "table %s: %s became shorter or was written anew; it is read from its start"
              .formatted(table, file.found.path()));
    } else if (file.hasUnseen()) {
      context.report(
          Severity.WARNING,
          "table %s: %s was rotated while nobody read it, and the file that it was is gone; rows may be missing"
              .formatted(table, file.found.path()));
    }
    forget(file);
  }

  /**
   * What a file of the same directory is called now that was this one, or that it was packed into.
   */
  private Optional<Path> sibling(KnownFile file) throws IOException {
    Path directory = file.found.path().getParent();
    if (directory == null || file.found.identity().isEmpty()) {
      return Optional.empty();
    }
    Map<String, Path> files = siblings.get(directory);
    if (files == null) {
      files = lister.byIdentity(directory);
      siblings.put(directory, files);
    }
    Path same = files.get(file.found.identity());
    if (same != null && !replaced.contains(file) && beginsLike(file, same)) {
      return Optional.of(same);
    }
    String name = String.valueOf(file.found.path().getFileName());
    return files.values().stream()
        .filter(other -> String.valueOf(other.getFileName()).startsWith(name))
        .filter(other -> other.toString().endsWith(PACKED))
        .filter(other -> file.fingerprint().bytes() > 0 && beginsLike(file, other))
        .findFirst();
  }
}
