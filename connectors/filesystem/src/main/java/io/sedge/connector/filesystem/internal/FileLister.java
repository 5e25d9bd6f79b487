package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the files of a table that is read, in the order of their paths. */
final class FileLister {
  /** A directory with more files than this is refused. */
  static final int MAX_FILES = 100_000;

  /** Positions name followed files one by one, so there may be fewer of them. */
  static final int MAX_FOLLOWED_FILES = 10_000;

  private static final int MAX_REPORTED = 100;

  private final String table;
  private final Path path;
  private final Optional<Pattern> pattern;

  private final int maxFiles;
  private final ConnectorContext context;

  /** What was said to be passed over; nothing is said of more. */
  private final Set<Path> reported = new HashSet<>();

  FileLister(String table, FilesystemOptions options, ConnectorContext context) {
    this.table = table;
    this.path = options.path();
    this.pattern = options.pattern();
    this.maxFiles = options.monitorInterval().isPresent() ? MAX_FOLLOWED_FILES : MAX_FILES;
    this.context = context;
  }

  /** Where a file of this name is. */
  Path path(String name) {
    return path.resolve(name);
  }

  /**
   * The files there are now.
   *
   * @throws ConnectorException of kind FILE if the path is not there or cannot be read
   */
  List<FoundFile> list() {
    return list(this::walk);
  }

  /** The same of those whose names are from one to another; nothing is asked of the rest. */
  List<FoundFile> list(NameRange names) {
    return list(visit -> new RangeWalk(path, names, new Visitor(visit)).walk());
  }

  private List<FoundFile> list(Walk walk) {
    List<FoundFile> found = new ArrayList<>();
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (!attributes.isDirectory()) {
        return List.of(found(path, attributes));
      }
      walk.apply((file, its) -> add(found, file, its));
    } catch (NoSuchFileException e) {
      throw new ConnectorException(
          ConnectorException.Kind.FILE,
          "table %s: 'path' = '%s' does not exist".formatted(table, path),
          e);
    } catch (IOException e) {
      throw FilesystemOptions.failed(table, path, "cannot be listed", e);
    }
    found.sort(Comparator.comparing(FoundFile::name));
    return found;
  }

  boolean exists() {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  /** The file as it is now. */
  FoundFile look(Path file) throws IOException {
    return found(file, Files.readAttributes(file, BasicFileAttributes.class));
  }

  /** The files of a directory by their identity. */
  Map<String, Path> byIdentity(Path directory) throws IOException {
    Map<String, Path> found = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isRegularFile()) {
          found.put(identity(attributes), file);
        }
      }
    } catch (NoSuchFileException e) {
      return found; // The directory, or a file since it was listed.
    }
    return found;
  }

  private void add(List<FoundFile> found, Path file, BasicFileAttributes attributes)
      throws IOException {
    if (!attributes.isRegularFile() || isHidden(file) || !matches(file)) {
      return;
    }
    if (found.size() == maxFiles) {
      throw new IOException(
          "more than %d files; move those away that are done with".formatted(maxFiles));
    }
    found.add(found(file, attributes));
  }

  private boolean matches(Path file) {
    return pattern.isEmpty() || pattern.get().matcher(file.toString()).matches();
  }

  private static boolean isHidden(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".") || name.startsWith("_");
  }

  /** Visits the files below the path, also where it or a directory in it is a symbolic link. */
  private void walk(Visit visit) throws IOException {
    Files.walkFileTree(
        path, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new Visitor(visit));
  }

  private interface Walk {
    void apply(Visit visit) throws IOException;
  }

  private interface Visit {
    void file(Path file, BasicFileAttributes attributes) throws IOException;
  }

  private void reportPassedOver(Path file, IOException failure) {
    if (reported.size() < MAX_REPORTED && reported.add(file)) {
      context.report(
          Severity.WARNING,
          "table %s: %s cannot be read, so it is passed over: %s"
              .formatted(table, file, failure.getClass().getSimpleName()));
    }
  }

  private FoundFile found(Path file, BasicFileAttributes attributes) {
    return new FoundFile(
        file,
        path.relativize(file).toString(),
        identity(attributes),
        attributes.size(),
        attributes.lastModifiedTime().toMillis());
  }

  private static String identity(BasicFileAttributes attributes) {
    Object key = attributes.fileKey();
    return key == null ? "" : key.toString();
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    private final Visit visit;

    Visitor(Visit visit) {
      this.visit = visit;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return !directory.equals(path) && isHidden(directory)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      visit.file(file, attributes);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (file.equals(path)) {
        throw failure;
      }
      if (!(failure instanceof NoSuchFileException)) { // Else it went away while we looked.
        reportPassedOver(file, failure);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      return failure == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, failure);
    }
  }
}
