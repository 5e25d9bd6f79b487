package io.sedge.site.internal.operation;

import io.sedge.identity.SecretFiles;
import io.sedge.site.Bundle;
import io.sedge.site.internal.device.Blanking;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A zip file of texts without their secrets, of {@value #MAX_ENTRY_CHARACTERS} characters each and
 * {@value #MAX_CHARACTERS} in all.
 */
public final class BundleFile {
  static final int MAX_ENTRY_CHARACTERS = 4 << 20;
  static final int MAX_CHARACTERS = 32 << 20;

  private static final String CUT = "\n… cut\n";

  private BundleFile() {}

  /**
   * Writes one, with a page first that says what is in it.
   *
   * @param scripts whose secrets are blanked in all texts
   * @return the bytes of each entry
   */
  public static Map<String, Long> write(
      Path file, Map<String, String> texts, Collection<String> scripts) throws IOException {
    Blanking blanking = new Blanking(scripts);
    Map<String, byte[]> entries = new LinkedHashMap<>();
    int left = MAX_CHARACTERS;
    for (Map.Entry<String, String> text : texts.entrySet()) {
      // Blanked before it is cut: half a secret would no longer look like one.
      String safe = cut(blanking.blank(text.getValue()), Math.min(left, MAX_ENTRY_CHARACTERS));
      left -= safe.length();
      entries.put(free(text.getKey(), entries.keySet()), safe.getBytes(StandardCharsets.UTF_8));
    }
    Map<String, Long> sizes = new LinkedHashMap<>();
    entries.forEach((name, bytes) -> sizes.put(name, (long) bytes.length));
    try (OutputStream stream = SecretFiles.create(file);
        ZipOutputStream zip = new ZipOutputStream(stream, StandardCharsets.UTF_8)) {
      put(zip, "README.txt", page(sizes).getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        put(zip, entry.getKey(), entry.getValue());
      }
    }
    return sizes;
  }

  /** A name that leads nowhere else where it is unpacked; names of jobs may be anything. */
  private static String free(String name, Set<String> taken) {
    String safe = name.replaceAll("[^A-Za-z0-9._/-]", "_").replaceAll("\\.\\.+|^/", "_");
    String free = safe;
    for (int i = 2; taken.contains(free); i++) {
      free = i + "-" + safe;
    }
    return free;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, Math.max(0, most)) + CUT;
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(bytes);
    zip.closeEntry();
  }

  private static String page(Map<String, Long> sizes) {
    StringBuilder page =
        new StringBuilder("A device of Sedge, for whoever is to find a fault.\n\n");
    sizes.forEach((name, bytes) -> page.append("%,12d  %s%n".formatted(bytes, name)));
    page.append("\nNot in it:\n");
    Bundle.leftOut().forEach(what -> page.append("  ").append(what).append('\n'));
    return page.toString();
  }
}
