import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies jars for the package: without native libraries of other systems and processors, and not
 * compressed, since the package is compressed as a whole and so becomes a third smaller. The same
 * jars give the same bytes.
 */
final class Jars {
  private static final Pattern NATIVE = Pattern.compile("\\.(so|dll|jnilib|dylib|a)$");
  private static final Pattern OTHER_SYSTEM =
      Pattern.compile("android|aix|bsd|darwin|sunos", Pattern.CASE_INSENSITIVE);

  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private Jars() {}

  /** Arguments: architecture as Debian calls it, directory for the copies, jars. */
  public static void main(String[] args) throws IOException {
    Pattern processor =
        Pattern.compile(
            switch (args[0]) {
              case "amd64" -> "x86[-_]64|amd64";
              case "arm64" -> "aarch_?64";
              default -> throw new IllegalArgumentException("no architecture " + args[0]);
            });
    Path directory = Files.createDirectories(Path.of(args[1]));
    for (String jar : List.of(args).subList(2, args.length)) {
      Path copy = directory.resolve(Path.of(jar).getFileName());
      try (ZipFile from = new ZipFile(jar);
          ZipOutputStream to =
              new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(copy)))) {
        for (ZipEntry entry : Collections.list(from.entries())) {
          if (!entry.isDirectory() && isWanted(entry.getName(), processor)) {
            store(from, entry, to);
          }
        }
      }
    }
  }

  private static boolean isWanted(String name, Pattern processor) {
    return !NATIVE.matcher(name).find()
        || (name.endsWith(".so")
            && processor.matcher(name).find()
            && !OTHER_SYSTEM.matcher(name).find());
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
