import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads what is machine code (ELF) in a directory and in its jars. Refuses what is for another
 * processor. Tells which libraries of the system all of it needs.
 */
final class Natives {
  private static final int MAGIC = 0x464c457f; // \x7fELF, least byte first
  private static final int SECTIONS_AT = 0x28;
  private static final int SECTION_SIZE = 0x3a;
  private static final int DYNAMIC = 6; // SHT_DYNAMIC
  private static final int NEEDED_VERSIONS = 0x6ffffffe; // SHT_GNU_verneed
  private static final int NEEDED = 1; // DT_NEEDED

  /** By Debian's name, e_machine of a processor. */
  private static final Map<String, Integer> MACHINES = Map.of("amd64", 62, "arm64", 183);

  /** Libraries of glibc, which has one version for all. */
  private static final String GLIBC = "(libc|libm|libdl|librt|libpthread)\\.so\\.[0-9]|ld-linux-.*";

  /** By the library's name, Debian's package. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "libgcc_s.so.1", "libgcc-s1",
          "libstdc++.so.6", "libstdc++6",
          "libz.so.1", "zlib1g");

  private final int machine;
  private final TreeSet<String> own = new TreeSet<>();
  private final TreeSet<String> needed = new TreeSet<>();
  private int glibc; // 2.x
  private int files;

  private Natives(int machine) {
    this.machine = machine;
  }

  /**
   * Arguments: architecture as Debian calls it, directory. Shows what is needed, as a .deb says it,
   * and on a second line as an .rpm does.
   */
  public static void main(String[] args) throws IOException {
    Integer machine = MACHINES.get(args[0]);
    if (machine == null) {
      throw new IllegalArgumentException("no architecture " + args[0]);
    }
    Natives natives = new Natives(machine);
    List<Path> files;
    try (var walk = Files.walk(Path.of(args[1]))) {
      files = walk.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      natives.look(file);
    }
    natives.show();
  }

  private void look(Path file) throws IOException {
    if (!file.toString().endsWith(".jar")) {
      try (InputStream in = Files.newInputStream(file)) {
        look(file.toString(), in);
      }
      return;
    }
    try (ZipFile jar = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        try (InputStream in = jar.getInputStream(entry)) {
          look(file.getFileName() + "!" + entry.getName(), in);
        }
      }
    }
  }

  private void look(String name, InputStream in) throws IOException {
    byte[] start = in.readNBytes(4);
    if (start.length < 4 || little(start).getInt() != MAGIC) {
      return;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(start);
    in.transferTo(all);
    ByteBuffer file = little(all.toByteArray());
    try {
      if (file.get(4) != 2 || file.get(5) != 1 || file.getShort(18) != machine) {
        throw new IllegalArgumentException(
            "%s is for another processor (e_machine %d instead of %d)"
                .formatted(name, file.getShort(18), machine));
      }
      own.add(name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('!')) + 1));
      files++;
      for (int i = 0; i < file.getShort(SECTIONS_AT + 0x14); i++) {
        read(file, section(file, i));
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(name + " is no whole ELF file", e);
    }
  }

  /** A section's type, place, size, and the section that it refers to. */
  private record Section(int type, int at, int size, int link) {}

  private static Section section(ByteBuffer file, int number) {
    int at = (int) file.getLong(SECTIONS_AT) + number * file.getShort(SECTION_SIZE);
    return new Section(
        file.getInt(at + 4),
        (int) file.getLong(at + 0x18),
        (int) file.getLong(at + 0x20),
        file.getInt(at + 0x28));
  }

  private void read(ByteBuffer file, Section section) {
    if (section.type() == DYNAMIC) {
      int names = section(file, section.link()).at();
      for (int at = section.at(); at < section.at() + section.size(); at += 16) {
        if (file.getLong(at) == NEEDED) {
          needed.add(text(file, names + (int) file.getLong(at + 8)));
        }
      }
    } else if (section.type() == NEEDED_VERSIONS) {
      int names = section(file, section.link()).at();
      int library = section.at();
      int next;
      do { // Elf64_Verneed, and its Elf64_Vernaux
        int version = library + file.getInt(library + 8);
        for (int left = file.getShort(library + 2); left > 0; left--) {
          raise(text(file, names + file.getInt(version + 8)));
          version += file.getInt(version + 12);
        }
        next = file.getInt(library + 12);
        library += next;
      } while (next != 0);
    }
  }

  private void raise(String version) {
    if (version.matches("GLIBC_2\\.[0-9]+(\\.[0-9]+)?")) {
      glibc = Math.max(glibc, Integer.parseInt(version.split("[._]")[2]));
    }
  }

  private void show() {
    if (files == 0) {
      throw new IllegalArgumentException("there is no machine code");
    }
    StringJoiner debian = new StringJoiner(", ").add("libc6 (>= 2.%d)".formatted(glibc));
    StringJoiner rpm = new StringJoiner(", ").add("libc.so.6(GLIBC_2.%d)(64bit)".formatted(glibc));
    for (String library : needed) {
      if (library.matches(GLIBC) || own.stream().anyMatch(library::startsWith)) {
        continue;
      }
      String name = PACKAGES.get(library);
      if (name == null) {
        throw new IllegalArgumentException(
            "which package has " + library + "? Add it to PACKAGES in package/Natives.java");
      }
      debian.add(name);
      rpm.add(library + "()(64bit)");
    }
    System.out.println(debian);
    System.out.println(rpm);
  }

  private static String text(ByteBuffer file, int at) {
    int end = at;
    while (file.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - at];
    file.get(at, bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
