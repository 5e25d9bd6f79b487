package io.sedge.site.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Bundles of devices, as whoever gets one sees them. */
public final class Bundles {
  private Bundles() {}

  /** The texts in a bundle by their files' names; closes the stream. */
  public static Map<String, String> texts(InputStream bundle) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (ZipInputStream zip = new ZipInputStream(bundle)) {
      for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
        texts.put(file.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return texts;
  }
}
