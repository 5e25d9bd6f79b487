package io.sedge.system.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What README has its readers type. */
public final class ReadMe {
  private ReadMe() {}

  /** The calls of {@code ./sedge} in the blocks of a section, in their order, without comments. */
  public static List<String> commands(String section) {
    List<String> commands = new ArrayList<>();
    boolean inside = false;
    boolean block = false;
    try (Stream<String> lines = Files.lines(Sedge.project().resolve("README.md"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        if (line.startsWith("## ")) {
          inside = line.equals("## " + section);
        } else if (line.startsWith("```")) {
          block = !block;
        } else if (inside && block) {
          Stream.of(line.replaceFirst(" +#.*", "").split("&", -1))
              .map(String::strip)
              .filter(command -> command.startsWith("./sedge "))
              .forEach(commands::add);
        }
      }
      return commands;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
