package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of a connector or format begins with scripts that people type: each is accepted as it
 * stands.
 */
@Timeout(120)
class ConnectorPagesTest {
  private static final Pattern SCRIPT = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
  private static final String OPTIONS = "<!-- options:";

  /** What protoc makes of the message in format-protobuf.md. */
  private static final byte[] PLANT =
      Base64.getDecoder()
          .decode(
              "CkQKC3BsYW50LnByb3RvEghwbGFudC52MSIjCgdSZWFkaW5nEg0KBWxldmVsGAEgASgBEgkKAW4YAiABKANiBnByb3RvMw==");

  @TempDir private Path directory;

  @Test
  void eachPageBeginsWithScriptsThatAreAccepted() throws IOException {
    Files.write(directory.resolve("plant.desc"), PLANT);
    try (DirectoryStream<Path> pages =
        Files.newDirectoryStream(Path.of("..", "docs", "connectors"), "*.md")) {
      for (Path page : pages) {
        String text = Files.readString(page);
        if (text.contains(OPTIONS)) {
          checkScripts(page, text.split("\n## ", 2)[0]);
        }
      }
    }
  }

  private void checkScripts(Path page, String beginning) throws IOException {
    List<String> scripts =
        SCRIPT.matcher(beginning).results().map(block -> block.group(1)).toList();
    assertThat(scripts).as("scripts at the beginning of %s", page).isNotEmpty();
    for (String script : scripts) {
      Files.writeString(directory.resolve("typed.sql"), script);
      CommandRunner runner = new CommandRunner(directory);
      int code = runner.run("check", "typed.sql");
      assertThat(code).as("%s: %s", page, runner.err()).isZero();
    }
  }
}
