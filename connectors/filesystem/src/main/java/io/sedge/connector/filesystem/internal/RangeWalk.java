package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;

/**
 * Visits the files below a path whose names are in a range, as {@link Files#walkFileTree} with
 * FOLLOW_LINKS visits all. That asks the system for the attributes of every file, which for each of
 * some hundred parts of a large directory takes minutes; a name is had for nothing.
 */
final class RangeWalk {
  private final Path root;
  private final NameRange names;
  private final FileVisitor<Path> visitor;
  private final String separator;

  /** The identities of the directories that it is in: a link may lead back to one of them. */
  private final Deque<Object> above = new ArrayDeque<>();

  RangeWalk(Path root, NameRange names, FileVisitor<Path> visitor) {
    this.root = root;
    this.names = names;
    this.visitor = visitor;
    this.separator = root.getFileSystem().getSeparator();
  }

  void walk() throws IOException {
    visit(root);
  }

  /** Visits a file or directory; the JDK's walk of that one knows what to do with broken links. */
  private void visit(Path file) throws IOException {
    Files.walkFileTree(
        file,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        0,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path found, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isDirectory()) {
              enter(found, attributes);
              return FileVisitResult.CONTINUE;
            }
            return names.has(name(found))
                ? visitor.visitFile(found, attributes)
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path found, IOException failure)
              throws IOException {
            return visitor.visitFileFailed(found, failure);
          }
        });
  }

  private void enter(Path directory, BasicFileAttributes attributes) throws IOException {
    Object key = attributes.fileKey();
    Object identity = key == null ? directory.toRealPath() : key;
    if (above.contains(identity)) {
      visitor.visitFileFailed(directory, new FileSystemLoopException(directory.toString()));
      return;
    }
    if (visitor.preVisitDirectory(directory, attributes) == FileVisitResult.CONTINUE) {
      above.push(identity);
      visitEntries(directory);
      above.pop();
    }
  }

  private void visitEntries(Path directory) throws IOException {
    List<Path> entries;
    try {
      entries = entries(directory);
    } catch (IOException e) {
      visitor.visitFileFailed(directory, e);
      return;
    }
    for (Path entry : entries) {
      visit(entry);
    }
  }

  private List<Path> entries(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, this::mayHave)) {
      entries.forEach(found::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found;
  }

  private boolean mayHave(Path entry) {
    return names.has(name(entry)) || names.mayBeIn(name(entry) + separator);
  }

  private String name(Path file) {
    return root.relativize(file).toString();
  }
}
