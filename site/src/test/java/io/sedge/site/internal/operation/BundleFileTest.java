package io.sedge.site.internal.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What is in a bundle, whoever named it. */
class BundleFileTest {
  private static Map<String, Long> written(ByteArrayOutputStream zip, Map<String, String> texts)
      throws IOException {
    return BundleFile.write(
        zip, new BundleTexts(texts, Map.of()), new BundleFile.Bounds(4_000, 6_000));
  }

  @Test
  void aBundleIsBounded() throws Exception {
    Map<String, String> texts = new TreeMap<>();
    texts.put("a.txt", "x".repeat(5_000));
    texts.put("b.txt", "y".repeat(5_000));
    texts.put("c.txt", "z".repeat(5_000));
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    Map<String, Long> sizes = written(zip, texts);
    assertThat(sizes.get("a.txt")).isBetween(4_000L, 4_020L);
    assertThat(sizes.get("b.txt")).isBetween(1_900L, 2_020L);
    assertThat(sizes.get("c.txt")).isLessThan(20);
    assertThat(zip.size()).isLessThan(2_000);
  }

  /** Whoever unpacks it must not find files elsewhere. */
  @Test
  void namesInABundleLeadNowhereElse() throws Exception {
    Map<String, Long> sizes =
        written(
            new ByteArrayOutputStream(),
            Map.of("../../x.sql", "a", "/etc/x", "b", "jobs/ä b.sql", "c", "jobs/__b.sql", "d"));
    assertThat(sizes).hasSize(4);
    assertThat(sizes.keySet())
        .allMatch(name -> name.matches("[A-Za-z0-9_-][A-Za-z0-9._/-]*") && !name.contains(".."));
  }
}
