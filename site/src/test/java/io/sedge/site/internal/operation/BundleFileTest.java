package io.sedge.site.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in a bundle, whoever named it. */
class BundleFileTest {
  @Test
  void aBundleIsBounded(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("b.zip");
    Map<String, Long> sizes =
        BundleFile.write(file, Map.of("long.txt", "x".repeat(9 << 20)), List.of());
    assertThat(sizes.get("long.txt")).isLessThan(BundleFile.MAX_ENTRY_CHARACTERS + 100L);
    assertThat(Files.size(file)).isLessThan(1 << 20);
  }

  /** Whoever unpacks it must not find files elsewhere. */
  @Test
  void namesInABundleLeadNowhereElse(@TempDir Path directory) throws Exception {
    Map<String, Long> sizes =
        BundleFile.write(
            directory.resolve("b.zip"),
            Map.of("../../x.sql", "a", "/etc/x", "b", "jobs/ä b.sql", "c", "jobs/__b.sql", "d"),
            List.of());
    assertThat(sizes).hasSize(4);
    assertThat(sizes.keySet())
        .allMatch(name -> name.matches("[A-Za-z0-9_-][A-Za-z0-9._/-]*") && !name.contains(".."));
  }
}
