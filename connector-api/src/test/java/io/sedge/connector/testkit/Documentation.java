package io.sedge.connector.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the tables of {@code docs/connectors} in step with the declarations. Each stands on one
 * page between marks, {@code <!-- options:filesystem -->} and {@code <!-- end -->}. With {@code
 * -Dsedge.docs.write=true} they are written instead of compared.
 */
public final class Documentation {
  private static final String END = "<!-- end -->";

  private Documentation() {}

  /** Fails unless a page has the connector's table as it is declared. */
  public static void check(ConnectorFactory connector) throws IOException {
    check(connector.name(), table(connector.options(), connector.metadata()));
  }

  /** Fails unless a page has the format's table as it is declared. */
  public static void check(FormatFactory format) throws IOException {
    check("format-" + format.name(), table(format.options(), Map.of()));
  }

  /** Fails unless a page has a table of options that are no single connector's. */
  public static void check(String name, List<Option> options) throws IOException {
    check(name, table(options, Map.of()));
  }

  private static void check(String name, String table) throws IOException {
    String begin = "<!-- options:%s -->\n".formatted(name);
    Path page = pageWith(begin);
    String text = Files.readString(page);
    int from = text.indexOf(begin);
    int to = text.indexOf(END, from);
    assertThat(to).as("%s has no mark %s after %s", page, END, begin.strip()).isPositive();
    if (Boolean.getBoolean("sedge.docs.write")) {
      Files.writeString(
          page, text.substring(0, from + begin.length()) + table + text.substring(to));
      return;
    }
    assertThat(text.substring(from + begin.length(), to))
        .as("the table of '%s' in %s; -Dsedge.docs.write=true writes it", name, page)
        .isEqualTo(table);
  }

  private static Path pageWith(String mark) throws IOException {
    Path directory = directory();
    List<Path> pages = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "*.md")) {
      for (Path page : all) {
        if (Files.readString(page).contains(mark)) {
          pages.add(page);
        }
      }
    }
    assertThat(pages).as("the page of %s with the mark %s", directory, mark.strip()).hasSize(1);
    return pages.getFirst();
  }

  private static Path directory() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path directory = at.resolve("docs").resolve("connectors");
      if (Files.isDirectory(directory)) {
        return directory;
      }
    }
    throw new AssertionError("docs/connectors is in no directory above the working directory");
  }

  private static String table(List<Option> options, Map<String, ?> metadata) {
    StringBuilder text = new StringBuilder();
    if (options.isEmpty()) {
      text.append("No options.\n");
    } else {
      text.append("| option | value | default | |\n| --- | --- | --- | --- |\n");
      for (Option option : options) {
        text.append(
            "| `%s` | %s | %s | %s |%n"
                .formatted(
                    option.key(),
                    option.choices().isEmpty()
                        ? option.kind().name().toLowerCase(Locale.ROOT)
                        : "`" + String.join("`, `", option.choices()) + "`",
                    option.required()
                        ? "required"
                        : option.defaultValue().map("`%s`"::formatted).orElse(""),
                    option.description().replace("|", "\\|")));
      }
    }
    if (!metadata.isEmpty()) {
      text.append("\n| metadata | type |\n| --- | --- |\n");
      new TreeMap<>(metadata)
          .forEach((key, type) -> text.append("| `%s` | `%s` |%n".formatted(key, type)));
    }
    return text.toString();
  }
}
