package io.sedge.system.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a sink has written to a directory, as its readers find it. */
public final class SinkFiles {
  private SinkFiles() {}

  /** The whole lines of the files, those in progress too; none before there is a directory. */
  public static List<String> lines(Path directory) {
    List<String> lines = new ArrayList<>();
    try {
      for (Path file : in(directory)) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(lines::add);
      }
      return lines;
    } catch (NoSuchFileException e) {
      return lines(directory); // It has got its final name meanwhile.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the files in progress. */
  public static List<String> inProgress(Path directory) {
    return in(directory).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.startsWith("."))
        .toList();
  }

  private static List<Path> in(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(SinkFiles::hasRows).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a file is finished or in progress; the others are the sink's own. */
  private static boolean hasRows(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") || name.endsWith(".inprogress");
  }
}
