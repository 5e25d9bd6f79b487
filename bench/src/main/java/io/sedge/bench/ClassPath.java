package io.sedge.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The class paths of the contenders' processes, as the build has written them. Flink has classes of
 * its own under Calcite's names, so its processes get no Calcite.
 *
 * @param flink with jars first that differ from everybody's
 * @param others of all but Flink's
 */
public record ClassPath(String flink, String others) {
  private static final List<String> NOT_WITH_FLINK =
      List.of("calcite-", "avatica-", "flink-sql-parser-");

  /**
   * Reads what the build has written.
   *
   * @param target the module's folder of build results
   */
  public static ClassPath read(Path target) throws IOException {
    String classes = target.resolve("classes").toAbsolutePath().toString();
    String before = target.resolve("flink").toAbsolutePath() + "/*";
    List<String> others = split(Files.readString(target.resolve("bench.classpath")));
    List<String> flink = split(Files.readString(target.resolve("flink.classpath")));
    return new ClassPath(
        join(
            Stream.of(
                List.of(classes, before),
                flink,
                others.stream().filter(ClassPath::suitsFlink).toList())),
        join(Stream.of(List.of(classes), others)));
  }

  private static boolean suitsFlink(String path) {
    String file = String.valueOf(Path.of(path).getFileName());
    return NOT_WITH_FLINK.stream().noneMatch(file::startsWith);
  }

  private static String join(Stream<List<String>> parts) {
    List<String> all = new ArrayList<>();
    parts.forEach(all::addAll);
    return String.join(File.pathSeparator, all);
  }

  private static List<String> split(String paths) {
    return Arrays.asList(paths.strip().split(File.pathSeparator, -1));
  }

  /** The java command that runs this process. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
