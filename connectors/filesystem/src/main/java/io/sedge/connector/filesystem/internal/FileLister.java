package io.sedge.connector.filesystem.internal;

import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds the files of a table, in the order of their paths. */
final class FileLister {
  /** A directory with more files than this is refused. */
  static final int MAX_FILES = 100_000;

  /** Positions name followed files one by one, so there may be fewer of them. */
  static final int MAX_FOLLOWED_FILES = 10_000;

  private final String table;
  private final Path path;
  private final Optional<Pattern> pattern;

  private final int maxFiles;

  FileLister(String table, FilesystemOptions options) {
    this(
        table,
        options.path(),
        options.pattern(),
        options.monitorInterval().isPresent() ? MAX_FOLLOWED_FILES : MAX_FILES);
  }

  private FileLister(String table, Path path, Optional<Pattern> pattern, int maxFiles) {
    this.maxFiles = maxFiles;
    this.table = table;
    this.path = path;
    this.pattern = pattern;
  }

  /**
   * The files there are now.
   *
   * @throws ConnectorException of kind EXTERNAL if the path is not there or cannot be read
   */
  List<FoundFile> list() {
    List<FoundFile> found = new ArrayList<>();
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (!attributes.isDirectory()) {
        return List.of(found(path, attributes));
      }
      Files.walkFileTree(path, new Visitor(found));
    } catch (NoSuchFileException e) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
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

  /** A file of the same directory that has this identity: what a rotated file is called now. */
  Optional<Path> renamed(Path file, String identity) throws IOException {
    Path directory = file.getParent();
    if (directory == null || identity.isEmpty()) {
      return Optional.empty();
    }
    try (var files = Files.newDirectoryStream(directory)) {
      for (Path other : files) {
        BasicFileAttributes attributes = Files.readAttributes(other, BasicFileAttributes.class);
        if (attributes.isRegularFile() && identity(attributes).equals(identity)) {
          return Optional.of(other);
        }
      }
    }
    return Optional.empty();
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
    private final List<FoundFile> found;

    Visitor(List<FoundFile> found) {
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return !directory.equals(path) && isHidden(directory)
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      BasicFileAttributes target =
          attributes.isSymbolicLink() && Files.exists(file)
              ? Files.readAttributes(file, BasicFileAttributes.class)
              : attributes;
      if (target.isRegularFile() && !isHidden(file) && matches(file)) {
        if (found.size() == maxFiles) {
          throw new IOException(
              "more than %d files; move those away that are done with".formatted(maxFiles));
        }
        found.add(found(file, target));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException && !file.equals(path)) {
        return FileVisitResult.CONTINUE; // It went away while we looked.
      }
      throw failure;
    }

    private boolean matches(Path file) {
      return pattern.isEmpty() || pattern.get().matcher(file.toString()).matches();
    }

    private static boolean isHidden(Path file) {
      String name = String.valueOf(file.getFileName());
      return name.startsWith(".") || name.startsWith("_");
    }
  }
}
