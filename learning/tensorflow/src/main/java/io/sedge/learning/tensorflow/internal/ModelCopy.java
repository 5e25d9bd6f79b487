package io.sedge.learning.tensorflow.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.DirectoryArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A model's files in a directory of this process's own, where TensorFlow reads them: what was
 * hashed is what is loaded, whatever becomes of the files. It is removed once the model is loaded.
 */
final class ModelCopy implements AutoCloseable {
  private final OwnDirectory own;
  private final Path directory;

  private ModelCopy(OwnDirectory own, String prefix) {
    this.own = own;
    this.directory = own.content().resolve(prefix);
  }

  /**
   * Copies a model.
   *
   * @throws ConnectorException of kind FILE if it cannot be copied, or is another one by now
   */
  static ModelCopy of(ModelFiles files) {
    OwnDirectory own;
    try {
      own = OwnDirectory.make();
    } catch (IOException e) {
      throw failed(files, e);
    }
    ModelCopy copy = new ModelCopy(own, files.prefix());
    boolean same = false;
    try {
      same = fill(own.content(), files.place()).sha256(files.prefix()).equals(files.sha256());
    } catch (IOException e) {
      throw failed(files, e);
    } finally {
      if (!same) {
        copy.close();
      }
    }
    if (!same) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s was changed while it was read; try again when it is whole"
              .formatted(files.model(), files.name()));
    }
    return copy;
  }

  private static ConnectorException failed(ModelFiles files, IOException e) {
    return new ConnectorException(
        Kind.FILE,
        "model %s: 'path': %s cannot be copied among the temporary files, where TensorFlow is to read it: %s (%s). Is there room in %s?"
            .formatted(
                files.model(),
                files.name(),
                e.getMessage(),
                e.getClass().getSimpleName(),
                System.getProperty("java.io.tmpdir")),
        e);
  }

  /** Never over a file that is there, nor elsewhere. */
  private static FileHashes fill(Path directory, Path place) throws IOException {
    FileHashes hashes = new FileHashes();
    DirectoryArchive.read(
        place,
        (file, content) -> {
          Path target = directory.resolve(file).normalize();
          if (!target.startsWith(directory)) {
            throw new IOException(file + " leads elsewhere");
          }
          Files.createDirectories(target.resolveSibling("."));
          try (OutputStream output =
              Files.newOutputStream(
                  target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            hashes.add(file, content, input -> input.transferTo(output));
          }
        });
    return hashes;
  }

  /** Of use until this is closed. */
  Path directory() {
    return directory;
  }

  @Override
  public void close() {
    own.close();
  }
}
