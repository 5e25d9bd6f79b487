package io.sedge.connector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files that a script is compiled with: jars of functions, and models, some of which are
 * directories. Those of tables are another matter ({@link FileAccess}). Any thread; may block.
 */
@FunctionalInterface
public interface ScriptFiles {
  /**
   * Where the content of a file is. It need not be there.
   *
   * @param what names the file in a message: {@code model m: 'path'}
   * @param path as the script has it
   * @throws ConnectorException of kind USER or FILE if it may not be read, with what a person can
   *     do
   */
  Path locate(String what, String path);

  /**
   * Where the content of a file is, or that of a directory with all that is below it. A directory
   * goes with a job as a {@linkplain DirectoryArchive zip archive}: then that is there in its
   * place.
   *
   * @param what as for {@link #locate}
   * @param path as for {@link #locate}
   * @throws ConnectorException as {@link #locate}
   */
  default Path locateTree(String what, String path) {
    return locate(what, path);
  }

  /**
   * The version that a model scores by which is trained where the script runs; empty if there is
   * none yet.
   *
   * @param model its name
   * @param what it is, in one line: a version that was trained for something else does not count
   * @param number which one; empty for the one that is live
   * @throws ConnectorException of kind USER if it has no such number
   */
  default Optional<Path> version(String model, String what, OptionalLong number) {
    return Optional.empty();
  }

  /**
   * The version of such a model that scores beside the one it scores by; empty if there is none.
   *
   * @param model its name
   * @param what as for {@link #version}
   */
  default Optional<Path> shadow(String model, String what) {
    return Optional.empty();
  }

  /**
   * Files where they are.
   *
   * @param directory what relative paths are relative to
   * @param access which ones may be read
   */
  static ScriptFiles in(Path directory, FileAccess access) {
    return new ScriptFiles() {
      @Override
      public Path locate(String what, String path) {
        Path place = resolve(directory, what, path);
        access.check(what, place, FileAccess.Use.READ);
        return place;
      }

      @Override
      public Path locateTree(String what, String path) {
        Path place = locate(what, path);
        if (Files.isDirectory(place)) {
          try {
            DirectoryArchive.check(what, place.toRealPath(), access);
          } catch (IOException e) {
            throw new ConnectorException(
                ConnectorException.Kind.FILE,
                "%s: %s cannot be taken: %s".formatted(what, path, e.getMessage()),
                e);
          }
        }
        return place;
      }
    };
  }

  /**
   * Where a path leads.
   *
   * @throws ConnectorException of kind USER if it is none
   */
  static Path resolve(Path directory, String what, String path) {
    try {
      return directory.resolve(path).normalize();
    } catch (InvalidPathException e) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "%s: '%s' is no path: %s".formatted(what, path, e.getReason()),
          e);
    }
  }
}
