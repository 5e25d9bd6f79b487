package io.sedge.site.internal.files;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.DirectoryArchive;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.ledger.JobFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The files that a script names, as it is compiled before it is submitted: a copy is taken of each,
 * and the script is compiled with that. One thread.
 */
public final class NamedFiles implements ScriptFiles {
  private final FileStore store;
  private final Path directory;
  private final FileAccess access;
  private final Versions versions;
  private final Map<String, JobFile> files = new LinkedHashMap<>();

  /** Takes a copy; see {@link FileStore#take}. */
  private interface Taking {
    JobFile take(String what, String path, Path real);
  }

  /** What models score by that the site trains. */
  @FunctionalInterface
  public interface Versions {
    /**
     * @param model its name
     * @param what as {@link ScriptFiles#version} has it
     * @param number which one; empty for the one that was live last
     * @throws ConnectorException of kind USER if it has no such number
     */
    Optional<JobFile> of(String model, String what, OptionalLong number);

    /**
     * What scores beside it.
     *
     * @param model its name
     * @param what as {@link ScriptFiles#version} has it
     */
    default Optional<JobFile> shadow(String model, String what) {
      return Optional.empty();
    }
  }

  /**
   * @param directory what relative paths are relative to
   * @param access which files may be read
   * @param versions what models score by that the site trains
   */
  NamedFiles(FileStore store, Path directory, FileAccess access, Versions versions) {
    this.store = store;
    this.directory = directory;
    this.access = access;
    this.versions = versions;
  }

  @Override
  public Path locate(String what, String path) {
    return locate(what, path, store::take);
  }

  /** A directory becomes one file, which goes with the job as others do. */
  @Override
  public Path locateTree(String what, String path) {
    return locate(what, path, store::takeTree);
  }

  private Path locate(String what, String path, Taking taking) {
    JobFile file = files.get(path);
    if (file == null) {
      if (files.size() == JobFile.MAX_FILES) {
        throw new ConnectorException(
            Kind.USER, "%s: a script may name %d files".formatted(what, JobFile.MAX_FILES));
      }
      file = taking.take(what, path, real(what, path));
      files.put(path, file);
    }
    return store.place(file.sha256());
  }

  @Override
  public Optional<Path> version(String model, String what, OptionalLong number) {
    files.values().removeIf(file -> file.isOf(model)); // Of an algorithm that ALTER MODEL changed.
    return versions.of(model, what, number).map(file -> version(model, file));
  }

  /** One that the model scores by now is no shadow any more. */
  @Override
  public Optional<Path> shadow(String model, String what) {
    JobFile live = files.get(JobFile.pathOfModel(model));
    files
        .values()
        .removeIf(file -> file.isShadowOf(model)); // The script may have another live one.
    return versions
        .shadow(model, what)
        .filter(file -> live == null || !file.equals(live.asShadowOf(model)))
        .map(file -> version(model, file));
  }

  private Path version(String model, JobFile file) {
    if (!store.has(file)) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: the version that it is to score by has not come to this device yet; try again in a moment"
              .formatted(model));
    }
    files.put(file.path(), file);
    return store.place(file.sha256());
  }

  private Path real(String what, String path) {
    Path place = ScriptFiles.resolve(directory, what, path);
    access.check(what, place, FileAccess.Use.READ);
    try {
      return checked(what, place, access);
    } catch (IOException e) {
      throw new ConnectorException(
          Kind.FILE,
          "%s: %s cannot be read: %s; is it on this device?"
              .formatted(what, path, FileStore.text(e)),
          e);
    }
  }

  /** Where a link leads by now, and all that is below a directory. */
  private static Path checked(String what, Path place, FileAccess access) throws IOException {
    Path real = place.toRealPath();
    access.check(what, real, FileAccess.Use.READ);
    if (Files.isDirectory(real)) {
      DirectoryArchive.check(what, real, access);
    }
    return real;
  }

  /**
   * Where a file of a job is on this device itself; empty if jobs may not read it, or it is not.
   */
  static Optional<Path> onThisDevice(JobFile file, Path directory, FileAccess access) {
    try {
      Path place = ScriptFiles.resolve(directory, "", file.path());
      access.check("", place, FileAccess.Use.READ);
      return Optional.of(checked("", place, access));
    } catch (IOException | ConnectorException _) {
      return Optional.empty();
    }
  }

  /** Those that were named, in the order of the script. */
  public List<JobFile> files() {
    return List.copyOf(files.values());
  }
}
