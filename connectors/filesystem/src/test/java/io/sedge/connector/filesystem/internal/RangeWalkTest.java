package io.sedge.connector.filesystem.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A part must have the files that it was cut to have, however little of the rest is looked at. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "links need rights there")
class RangeWalkTest {
  /** Before and after the separator in the order of names. */
  private static final List<String> NAMES =
      List.of("a", "a-b", "a.csv", "a0", "b", "ab", ".h", "ä");

  private static final int TREES = 6;

  @TempDir private Path directory;

  /** What was visited, and what could not be. */
  private static final class Names extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Set<String> files = new TreeSet<>();
    private final Set<String> failed = new TreeSet<>();

    Names(Path root) {
      this.root = root;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      return path.endsWith(".h") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      assertThat(files.add(root.relativize(file).toString())).isTrue();
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      failed.add(root.relativize(file).toString());
      return FileVisitResult.CONTINUE;
    }
  }

  private static void fill(Path parent, int depth, Random random) throws IOException {
    for (String name : NAMES) {
      Path file = parent.resolve(name);
      switch (random.nextInt(8)) {
        case 0, 1 -> Files.createFile(file);
        case 2, 3 -> {
          Files.createDirectory(file);
          if (depth < 3) {
            fill(file, depth + 1, random);
          }
        }
        case 4 ->
            Files.createSymbolicLink(
                file, Path.of(random.nextBoolean() ? ".." : NAMES.get(random.nextInt(8))));
        default -> {}
      }
    }
  }

  @Test
  void whatIsInARangeIsFoundAsInAWalkThroughAll() throws IOException {
    long seed = Long.getLong("sedge.seed", new Random().nextLong());
    Random random = new Random(seed);
    for (int tree = 0; tree < TREES; tree++) {
      Path root = Files.createDirectory(directory.resolve("tree" + tree));
      fill(root, 0, random);
      Names all = new Names(root);
      Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, all);
      List<String> names = new ArrayList<>(all.files);
      names.add("a/");
      names.add("zz");
      for (int i = 0; i < 20; i++) {
        NameRange range =
            new NameRange(
                names.get(random.nextInt(names.size())), names.get(random.nextInt(names.size())));
        Names found = new Names(root);
        new RangeWalk(root, range, found).walk();
        assertThat(found.files)
            .as("-Dsedge.seed=%d, %s", seed, range)
            .isEqualTo(new TreeSet<>(all.files.stream().filter(range::has).toList()));
      }
    }
  }

  /** Attributes of a hundred thousand files take seconds, and there are hundreds of parts. */
  @Test
  void nothingIsAskedOfFilesOutside() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      Files.createDirectory(directory.resolve(name));
      Files.createFile(directory.resolve(name).resolve("1.csv"));
      Files.createSymbolicLink(directory.resolve(name).resolve("loop"), Path.of("."));
    }
    Names all = new Names(directory);
    Files.walkFileTree(directory, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, all);
    assertThat(all.failed).containsExactly("a/loop", "b/loop", "c/loop");
    Names found = new Names(directory);
    new RangeWalk(directory, new NameRange("a/zzz", "b/2.csv"), found).walk();
    assertThat(found.files).containsExactly("b/1.csv");
    assertThat(found.failed).isEmpty();
    new RangeWalk(directory, new NameRange("c/1.csv", "c/loop"), found).walk();
    assertThat(found.failed).containsExactly("c/loop");
  }
}
