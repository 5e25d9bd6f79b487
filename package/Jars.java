import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies jars for the package: without native libraries of other systems and processors, and not
 * compressed, since the package is compressed as a whole and so becomes a third smaller. Refuses a
 * jar that has a library for one of our processors and not for the other. Directories are entries
 * too: Flyway looks for its migrations in one. The same jars give the same bytes.
 */
final class Jars {
  private static final Pattern NATIVE = Pattern.compile("\\.(so|dll|jnilib|dylib|a)$");
  private static final Pattern OTHER_SYSTEM =
      Pattern.compile("android|aix|bsd|darwin|musl|solaris|sunos|win32", Pattern.CASE_INSENSITIVE);

  /** By Debian's name, what makers of libraries call a processor, between two non-letters. */
  private static final Map<String, Pattern> PROCESSORS =
      Map.of(
          "amd64", processor("x86[-_]64|amd64|x64"),
          "arm64", processor("aarch_?64|arm64|armv8_64"),
          "others",
              processor(
                  "x86|i386|arm|armel|armv[5-7](hf)?|armv8_32|loongarch64|mips64|mips64el|ppc|ppc64|ppc64le"
                      + "|riscv64|s390x"));

  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private Jars() {}

  /** Arguments: architecture as Debian calls it, directory for the copies, jars. */
  public static void main(String[] args) throws IOException {
    Pattern processor = PROCESSORS.get(args[0]);
    if (processor == null) {
      throw new IllegalArgumentException("no architecture " + args[0]);
    }
    Path directory = Files.createDirectories(Path.of(args[1]));
    for (String jar : List.of(args).subList(2, args.length)) {
      Path copy = directory.resolve(Path.of(jar).getFileName());
      try (ZipFile from = new ZipFile(jar);
          ZipOutputStream to =
              new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(copy)))) {
        List<? extends ZipEntry> entries = Collections.list(from.entries());
        requireAll(jar, args[0], entries);
        for (ZipEntry entry : entries) {
          if (isWanted(entry.getName(), processor)) {
            store(from, entry, to);
          }
        }
      }
    }
  }

  private static Pattern processor(String names) {
    return Pattern.compile("(?<![A-Za-z0-9])(" + names + ")(?![A-Za-z0-9])");
  }

  /** A library whose processor nobody knows would be missing where it is needed. */
  private static boolean isWanted(String name, Pattern processor) {
    if (name.contains(".dSYM/")) { // What debuggers of macOS want.
      return false;
    }
    if (!NATIVE.matcher(name).find()) {
      return true;
    }
    if (!name.endsWith(".so") || OTHER_SYSTEM.matcher(name).find()) {
      return false;
    }
    if (PROCESSORS.values().stream().noneMatch(known -> known.matcher(name).find())) {
      throw new IllegalArgumentException(
          name + " is for no processor that package/Jars.java knows: add its name to PROCESSORS");
    }
    return processor.matcher(name).find();
  }

  /** What works on one processor and not on the other would be found out on a gateway. */
  private static void requireAll(
      String jar, String architecture, List<? extends ZipEntry> entries) {
    Set<String> here = libraries(entries, PROCESSORS.get(architecture));
    for (Pattern processor : List.of(PROCESSORS.get("amd64"), PROCESSORS.get("arm64"))) {
      Set<String> missing = libraries(entries, processor);
      missing.removeAll(here);
      if (!missing.isEmpty()) {
        throw new IllegalArgumentException(
            "%s has no %s for %s".formatted(jar, String.join(", ", missing), architecture));
      }
    }
  }

  /** The libraries of a processor, with a star for its name. */
  private static Set<String> libraries(List<? extends ZipEntry> entries, Pattern processor) {
    Set<String> names = new TreeSet<>();
    for (ZipEntry entry : entries) {
      String name = entry.getName();
      if (NATIVE.matcher(name).find() && isWanted(name, processor)) {
        names.add(processor.matcher(name).replaceAll("*"));
      }
    }
    return names;
  }

  private static void store(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    byte[] content = from.getInputStream(entry).readAllBytes();
    CRC32 checksum = new CRC32();
    checksum.update(content);
    ZipEntry stored = new ZipEntry(entry.getName());
    stored.setMethod(ZipEntry.STORED);
    stored.setTimeLocal(TIME);
    stored.setSize(content.length);
    stored.setCrc(checksum.getValue());
    to.putNextEntry(stored);
    to.write(content);
    to.closeEntry();
  }
}
