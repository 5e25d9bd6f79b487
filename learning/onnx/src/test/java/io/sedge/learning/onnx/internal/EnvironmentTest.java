package io.sedge.learning.onnx.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A device that is killed removes nothing any more: there must be nothing left to remove. */
class EnvironmentTest {
  private static final String DELETED = " (deleted)";

  /** The kernel's list of what this process has mapped says which files are no more. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void theLibrariesThatAreLoadedTakeNoRoomWhereTemporaryFilesAre() throws IOException {
    assertThat(Environment.get().getVersion()).isNotBlank();
    List<String> mapped =
        Files.readAllLines(Path.of("/proc/self/maps")).stream()
            .filter(line -> line.contains("/onnxruntime-java"))
            .map(line -> line.substring(line.indexOf('/')))
            .distinct()
            .toList();
    assertThat(mapped).hasSize(2).allMatch(file -> file.endsWith(DELETED));
    Path library = Path.of(mapped.getFirst().replace(DELETED, ""));
    assertThat(library.getParent()).doesNotExist();
  }
}
