package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs leave in a data directory that they share. */
class RunDirectoryTest {
  @TempDir private Path parent;

  @Test
  void aRunThatGoesOnKeepsItsFilesWhileOthersComeAndGo() throws Exception {
    try (RunDirectory first = RunDirectory.make(parent)) {
      Path rows = Files.writeString(first.resolve("rows"), "rows");
      try (RunDirectory second = RunDirectory.make(parent)) {
        assertThat(second.resolve("rows")).isNotEqualTo(rows);
      }
      assertThat(rows).hasContent("rows");
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void whatAKilledProcessLeftIsRemovedByTheNext() throws Exception {
    Path killed = Files.createDirectory(parent.resolve("run-killed"));
    Files.createFile(killed.resolve("lock"));
    Files.writeString(killed.resolve("rows"), "rows");
    try (RunDirectory next = RunDirectory.make(parent)) {
      assertThat(killed).doesNotExist();
      assertThat(next.resolve("lock")).exists();
    }
  }
}
