package io.sedge.learning.onnx.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A device that is restarted each day must not fill its disk with what the runtime leaves. */
class LeftoversTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  @TempDir private Path directory;

  private Path leftover(String name, Duration age, boolean library) throws IOException {
    Path made = Files.createDirectory(directory.resolve(name));
    if (library) {
      Files.write(made.resolve("libonnxruntime.so"), new byte[10]);
    }
    Files.setLastModifiedTime(made, FileTime.from(NOW.minus(age)));
    return made;
  }

  @Test
  void oldOnesGoAndOthersStay() throws IOException {
    Path empty = leftover("onnxruntime-java1", Duration.ofHours(2), false);
    Path killed = leftover("onnxruntime-java2", Duration.ofDays(30), true);
    Path loading = leftover("onnxruntime-java3", Duration.ofMinutes(1), true);
    Path other = leftover("something-else", Duration.ofDays(30), true);
    Leftovers.remove(directory, NOW);
    assertThat(empty).doesNotExist();
    assertThat(killed).doesNotExist();
    assertThat(loading.resolve("libonnxruntime.so")).exists();
    assertThat(other.resolve("libonnxruntime.so")).exists();
    Leftovers.remove(directory.resolve("absent"), NOW);
  }
}
