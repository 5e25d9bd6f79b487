package io.sedge.learning.tensorflow.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.DirectoryArchive;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A model's files in a directory of this process's own, where TensorFlow reads them: what is hashed
 * is what is loaded, whatever becomes of the files. It is removed once the model is loaded.
 *
 * <p>The hash is that of a list: a line for each file, sorted by name, with its SHA-256, two spaces
 * and its name. {@code sha256sum} writes such lines. So a directory and its archive have one hash.
 */
public final class ModelCopy implements AutoCloseable {
  /** What a model's directory holds at least. */
  static final String GRAPH = "saved_model.pb";

  private static final String TEMPORARY = "sedge-saved-model";
  private static final Duration LEFTOVER_AGE = Duration.ofHours(1);

  private final String name;
  private final Path copy;
  private final Map<String, String> hashes = new TreeMap<>();

  /** Where the model's directory begins within the copy: empty, or a name and a slash. */
  private String prefix = "";

  private ModelCopy(String name, Path copy) {
    this.name = name;
    this.copy = copy;
  }

  /**
   * Copies a model.
   *
   * @param model the model's name, for messages
   * @param name that of the directory or archive, for messages
   * @param place where it is
   * @throws ConnectorException of kind FILE if it cannot be read, or is no SavedModel
   */
  public static ModelCopy of(String model, String name, Path place) {
    try {
      // What it is called may be a link; what is in it may not.
      Path real = place.toRealPath();
      removeLeftovers(Path.of(System.getProperty("java.io.tmpdir")), Instant.now());
      ModelCopy copied = new ModelCopy(name, Files.createTempDirectory(TEMPORARY));
      try {
        copied.fill(real);
        return copied;
      } catch (IOException | RuntimeException e) {
        copied.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s cannot be read (NoSuchFileException); is it on this device?"
              .formatted(model, name),
          e);
    } catch (IOException e) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s is no model that can be read: %s"
              .formatted(model, name, e.getMessage()),
          e);
    }
  }

  private void fill(Path place) throws IOException {
    DirectoryArchive.read(
        place,
        (file, content) -> {
          Path target = copy.resolve(file);
          Files.createDirectories(target.resolveSibling("."));
          MessageDigest digest = sha256Digest();
          try (OutputStream output =
              new DigestOutputStream(Files.newOutputStream(target), digest)) {
            content.transferTo(output);
          }
          hashes.put(file, HexFormat.of().formatHex(digest.digest()));
        });
    prefix = prefix();
  }

  /** Whoever packs a directory by its name has the name in the archive. */
  private String prefix() throws IOException {
    if (hashes.containsKey(GRAPH)) {
      return "";
    }
    String first = hashes.keySet().stream().findFirst().orElse("");
    String top = first.substring(0, first.indexOf('/') + 1);
    if (!top.isEmpty()
        && hashes.containsKey(top + GRAPH)
        && hashes.keySet().stream().allMatch(file -> file.startsWith(top))) {
      return top;
    }
    throw new IOException(
        "it has no %s; name the directory that tf.saved_model.save or model.export has written"
            .formatted(GRAPH));
  }

  private static MessageDigest sha256Digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** As messages have it. */
  String name() {
    return name;
  }

  /** Of the list of all files, 64 hexadecimal digits in lower case. */
  public String sha256() {
    MessageDigest digest = sha256Digest();
    hashes.forEach(
        (file, hash) ->
            digest.update(
                "%s  %s\n"
                    .formatted(hash, file.substring(prefix.length()))
                    .getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Of use until this is closed. */
  Path directory() {
    return copy.resolve(prefix);
  }

  /** What a small file of it holds, if it is there. */
  Optional<String> text(String file, int mostBytes) throws IOException {
    Path place = directory().resolve(file);
    return hashes.containsKey(prefix + file) && Files.size(place) <= mostBytes
        ? Optional.of(Files.readString(place))
        : Optional.empty();
  }

  @Override
  public void close() {
    remove(copy);
  }

  /** Removes what processes have left that were killed while they loaded a model. */
  static void removeLeftovers(Path directory, Instant now) {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, TEMPORARY + "*")) {
      for (Path each : found) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
            && Files.getLastModifiedTime(each).toInstant().isBefore(now.minus(LEFTOVER_AGE))) {
          remove(each);
        }
      }
    } catch (IOException _) {
      // The next process tries again.
    }
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      // It costs some room among the temporary files.
    }
  }
}
