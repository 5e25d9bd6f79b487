package io.sedge.learning.tensorflow.internal;

import static java.util.stream.Collectors.joining;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.DirectoryArchive;
import io.sedge.learning.Reference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a model's files say, read through once: their hash, the graphs, and how the training rows
 * looked. Nothing is written, since scripts are compiled again and again. Immutable.
 */
public final class ModelFiles {
  /** What a model's directory holds at least. */
  static final String GRAPH = "saved_model.pb";

  /** What was exported from a site says there how its training rows looked. */
  private static final String REFERENCE = "assets.extra/" + Reference.KEY;

  private static final int MOST_SHOWN = 5;
  private static final int MOST_REFERENCE_BYTES = 1 << 20;

  private final String model;
  private final String name;
  private final Path place;
  private final String prefix;
  private final String sha256;
  private final Found<List<Graph>> graphs;
  private final Optional<String> reference;

  /**
   * What a file holds.
   *
   * @param file its name, with the directory in which the model is
   */
  private record Found<T>(String file, @Nullable T content, @Nullable IOException failure) {}

  private ModelFiles(String model, String name, Path place, Reading reading) throws IOException {
    this.model = model;
    this.name = name;
    this.place = place;
    this.prefix = reading.prefix();
    this.sha256 = reading.hashes.sha256(prefix);
    this.graphs = reading.graphs;
    Found<String> found = reading.reference;
    this.reference =
        found.file().equals(prefix + REFERENCE)
            ? Optional.ofNullable(found.content())
            : Optional.empty();
  }

  /**
   * Reads a model.
   *
   * @param model the model's name, for messages
   * @param name that of the directory or archive, for messages
   * @param place where it is
   * @throws ConnectorException of kind FILE if it cannot be read, or is no SavedModel
   */
  public static ModelFiles read(String model, String name, Path place) {
    try {
      // What it is called may be a link; what is in it may not.
      Path real = place.toRealPath();
      Reading reading = new Reading();
      DirectoryArchive.read(real, reading::file);
      return new ModelFiles(model, name, real, reading);
    } catch (NoSuchFileException e) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s cannot be read (NoSuchFileException); is it on this device?"
              .formatted(model, name),
          e);
    } catch (FileSystemException e) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s cannot be read: %s (%s)"
              .formatted(model, name, e.getMessage(), e.getClass().getSimpleName()),
          e);
    } catch (IOException e) {
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s is no model that can be read: %s"
              .formatted(model, name, e.getMessage()),
          e);
    }
  }

  /** What is found while files come, in any order. */
  private static final class Reading {
    private final FileHashes hashes = new FileHashes();
    private Found<List<Graph>> graphs = new Found<>("", null, null);
    private Found<String> reference = new Found<>("", null, null);

    void file(String file, InputStream content) throws IOException {
      hashes.add(file, content, input -> read(file, input));
    }

    private void read(String file, InputStream input) throws IOException {
      if (isMeant(file, GRAPH, graphs)) {
        graphs = graphs(file, input);
      } else if (isMeant(file, REFERENCE, reference)) {
        byte[] bytes = input.readNBytes(MOST_REFERENCE_BYTES + 1);
        boolean whole = bytes.length <= MOST_REFERENCE_BYTES;
        reference =
            new Found<>(file, whole ? new String(bytes, StandardCharsets.UTF_8) : null, null);
      }
    }

    /** It is at the top; if nothing is there, in a directory that is the only one. */
    private static boolean isMeant(String file, String wanted, Found<?> found) {
      return file.equals(wanted)
          || (found.file().isEmpty() && file.substring(file.indexOf('/') + 1).equals(wanted));
    }

    /** One that is damaged is said once all files are read: they may be none of a model. */
    private static Found<List<Graph>> graphs(String file, InputStream input) {
      try {
        return new Found<>(file, Graph.read(input), null);
      } catch (IOException e) {
        return new Found<>(file, null, e);
      }
    }

    /** Whoever packs a directory by its name has the name in the archive. */
    String prefix() throws IOException {
      Set<String> files = hashes.files();
      if (files.contains(GRAPH)) {
        return "";
      }
      String first = files.stream().findFirst().orElse("");
      String top = first.substring(0, first.indexOf('/') + 1);
      boolean alone = !top.isEmpty() && files.stream().allMatch(file -> file.startsWith(top));
      if (alone && files.contains(top + GRAPH)) {
        return top;
      }
      if (files.stream().anyMatch(file -> file.endsWith("/" + GRAPH))) {
        throw new IOException(
            "its %s is neither at the top nor in the only directory there: at the top there is %s. Pack the model's directory alone; from an archive of macOS remove the rest: zip -d FILE '__MACOSX/*'"
                .formatted(
                    GRAPH,
                    files.stream()
                        .map(file -> file.substring(0, (file + "/").indexOf('/')))
                        .distinct()
                        .limit(MOST_SHOWN)
                        .collect(joining(", "))));
      }
      throw new IOException(
          "it has no %s; name the directory that tf.saved_model.save or model.export has written"
              .formatted(GRAPH));
    }
  }

  /** As messages have the model. */
  String model() {
    return model;
  }

  /** As messages have the directory or archive. */
  String name() {
    return name;
  }

  /** The directory or archive. */
  Path place() {
    return place;
  }

  /** Where the model's directory begins within: empty, or a name and a slash. */
  String prefix() {
    return prefix;
  }

  /** Of the list of all files, 64 hexadecimal digits in lower case. */
  public String sha256() {
    return sha256;
  }

  /**
   * What can be computed.
   *
   * @throws IOException if the file is damaged or too large
   */
  List<Graph> graphs() throws IOException {
    if (graphs.failure() != null) {
      throw graphs.failure();
    }
    return graphs.content() == null ? List.of() : graphs.content();
  }

  /** How the training rows looked, if a file says so. */
  Optional<String> reference() {
    return reference;
  }
}
