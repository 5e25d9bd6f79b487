package io.sedge.site.internal.operation;

import io.sedge.site.internal.device.Blanking;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A zip file of texts without their secrets. */
public final class BundleFile {
  /** What is never in a bundle, for people. */
  public static final List<String> LEFT_OUT =
      List.of(
          "private keys, join tokens, passwords in options of tables (blanked in scripts and logs)",
          "readings and rows, but for samples of malformed ones in logs: neither state nor log of"
              + " the ledger is copied, only its files' names and sizes");

  private static final String CUT = "\n… cut\n";

  private BundleFile() {}

  /**
   * How long a bundle may be.
   *
   * @param entry characters of each text
   * @param all characters of all
   */
  public record Bounds(int entry, int all) {
    /** Of one that is written to a disk. */
    public static final Bounds FILE = new Bounds(4 << 20, 32 << 20);

    /** Of one that a device makes in its memory. */
    public static final Bounds MEMORY = new Bounds(512 << 10, 4 << 20);
  }

  /**
   * Writes one, with a page first that says what is in it.
   *
   * @return the bytes of each entry
   */
  public static Map<String, Long> write(OutputStream output, BundleTexts bundle, Bounds bounds)
      throws IOException {
    Blanking blanking = new Blanking(bundle.scripts().values());
    Map<String, byte[]> entries = new LinkedHashMap<>();
    int left = bounds.all();
    for (Map.Entry<String, String> text : bundle.entries().entrySet()) {
      // Blanked before it is cut: half a secret would no longer look like one.
      String safe = cut(blanking.blank(text.getValue()), Math.min(left, bounds.entry()));
      left -= safe.length();
      entries.put(free(text.getKey(), entries.keySet()), safe.getBytes(StandardCharsets.UTF_8));
    }
    Map<String, Long> sizes = new LinkedHashMap<>();
    entries.forEach((name, bytes) -> sizes.put(name, (long) bytes.length));
    try (ZipOutputStream zip = new ZipOutputStream(output, StandardCharsets.UTF_8)) {
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
    LEFT_OUT.forEach(what -> page.append("  ").append(what).append('\n'));
    return page.toString();
  }
}
