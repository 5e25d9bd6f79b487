package io.sedge.bench.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkTailTest {
  @TempDir private Path directory;

  private void append(String file, String text) throws IOException {
    Files.writeString(
        directory.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void aDirectoryThatIsNotThereYetHasNoRows() throws IOException {
    assertThat(new SinkTail(directory.resolve("later")).poll()).isEmpty();
  }

  @Test
  void aRowIsSeenOnceAndWhole() throws IOException {
    SinkTail tail = new SinkTail(directory);
    append(".part-x.inprogress", "a,1\nb");
    assertThat(tail.poll()).containsExactly("a,1");
    append(".part-x.inprogress", ",2\n");
    assertThat(tail.poll()).containsExactly("b,2");
    assertThat(tail.poll()).isEmpty();
  }

  /** A file that is complete gets its name: its rows are not new. */
  @Test
  void aFileWithAnotherNameIsTheSameFile() throws IOException {
    SinkTail tail = new SinkTail(directory);
    append(".part-x.inprogress", "a,1\n");
    assertThat(tail.poll()).hasSize(1);
    Files.move(directory.resolve(".part-x.inprogress"), directory.resolve("part-x"));
    append("part-x", "a,2\n");
    assertThat(tail.poll()).containsExactly("a,2");
  }

  @Test
  void whatIsCutOffAndWrittenAgainIsSeenAgainAndStandsThereOnce() throws IOException {
    SinkTail tail = new SinkTail(directory);
    append("part-x", "a,1\na,2\n");
    assertThat(tail.poll()).hasSize(2);
    Files.writeString(directory.resolve("part-x"), "a,1\n");
    assertThat(tail.poll()).isEmpty();
    append("part-x", "a,2\n");
    assertThat(tail.poll()).containsExactly("a,2");
    assertThat(SinkTail.all(directory)).containsExactly("a,1", "a,2");
  }

  @Test
  void locksAndDirectoriesHaveNoRows() throws IOException {
    append(".part-x.lock", "1\n");
    Files.createDirectory(directory.resolve("day=1"));
    assertThat(new SinkTail(directory).poll()).isEmpty();
    assertThat(SinkTail.all(directory)).isEmpty();
  }
}
