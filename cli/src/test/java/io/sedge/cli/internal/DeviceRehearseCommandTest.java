package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher lets the virtual machine learn from: that script, on three devices. */
class DeviceRehearseCommandTest {
  @TempDir Path directory;

  @Test
  void aSiteRunsTheJobAndLeavesNothingBehind() throws IOException {
    Set<Path> before = temporary();
    CommandRunner runner = new CommandRunner(directory);
    String script = Path.of("src", "main", "sedge", "rehearsal.sql").toAbsolutePath().toString();
    assertThat(runner.run("device", "rehearse", script)).as(runner.err()).isZero();
    assertThat(runner.err()).isEmpty();
    assertThat(temporary()).isSubsetOf(before);
  }

  @Test
  void itIsNoneOfTheCommandsThatPeopleAreTold() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("device", "--help")).isZero();
    assertThat(runner.out()).contains("bundle").doesNotContain("rehearse");
  }

  private static Set<Path> temporary() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith("sedge-rehearsal-"))
          .collect(Collectors.toSet());
    }
  }
}
