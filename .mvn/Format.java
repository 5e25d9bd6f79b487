import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Formats the project's Java sources with google-java-format, or checks that they are formatted.
 *
 * <p>Arguments: {@code check} or {@code apply}, then the project's root directory. The build runs
 * it from source, on the JDK that compiles the project.
 */
final class Format {
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !(args[0].equals("check") || args[0].equals("apply"))) {
      System.err.println("usage: Format check|apply <directory>");
      System.exit(2);
    }
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    List<Path> failed =
        sources(root).parallelStream().filter(source -> !formatted(source, apply)).toList();
    for (Path source : failed) {
      System.err.println("not formatted: " + root.relativize(source));
    }
    if (!failed.isEmpty()) {
      System.err.println("To format all sources: ./mvnw -q -N validate -Pformat");
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return SKIPPED.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** Whether the source is formatted when this returns; says why where it cannot be parsed. */
  private static boolean formatted(Path source, boolean apply) {
    try {
      String before = Files.readString(source);
      String after =
          new Formatter()
              .formatSourceAndFixImports(RemoveUnusedImports.removeUnusedImports(before));
      if (before.equals(after)) {
        return true;
      }
      if (apply) {
        Files.writeString(source, after);
      }
      return apply;
    } catch (FormatterException | IOException e) {
      System.err.println(source + ": " + e.getMessage());
      return false;
    }
  }
}
