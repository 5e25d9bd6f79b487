package io.sedge.bench.connectors;

import io.sedge.bench.Directories;
import io.sedge.bench.Memory;
import io.sedge.bench.Table;
import io.sedge.bench.parts.Rounds;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What connectors cost that a script does not name: {@code sedge run} with all jars of the command,
 * and with those alone of which it has loaded a class, less the connectors that it does not name.
 * Nobody answers the connectors: their clients are loaded, and go on trying.
 */
final class ConnectorMemory {
  private static final Duration RUN = Duration.ofSeconds(10);
  private static final String CONNECTOR = "sedge-connector-";

  /** What connectors say when nobody answers has that address in it: all of them is loaded then. */
  private static final String NOBODY = "127.0.0.1:9";

  private static final String SOURCE = " source: ";

  /** A script, and the connectors that it names beside datagen and blackhole. */
  private record Script(String name, Set<String> connectors, String table) {}

  private static final List<Script> SCRIPTS =
      List.of(
          new Script("datagen", Set.of(), "'connector' = 'datagen', 'rows-per-second' = '100'"),
          new Script(
              "modbus",
              Set.of("modbus"),
              "'connector' = 'modbus', 'url' = 'modbus-tcp://127.0.0.1:9',"
                  + " 'fields.v.register' = 'holding:0:float64'"),
          new Script(
              "opc-ua",
              Set.of("opcua"),
              "'connector' = 'opc-ua', 'url' = 'opc.tcp://127.0.0.1:9', 'nodes' = 'ns=1;s=v'"),
          new Script(
              "mqtt",
              Set.of("mqtt"),
              "'connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:9', 'topic' = 'bench',"
                  + " 'format' = 'json'"),
          new Script(
              "kafka",
              Set.of("kafka"),
              "'connector' = 'kafka', 'topic' = 'bench', 'scan.startup.mode' = 'earliest-offset',"
                  + " 'properties.bootstrap.servers' = '127.0.0.1:9', 'format' = 'json'"));

  /** What a run came to. */
  private record Run(int classes, double residentMb, Set<String> jars) {}

  private final Programs programs;
  private final Path library;
  private final PrintStream progress;

  private ConnectorMemory(Programs programs, Path library, PrintStream progress) {
    this.programs = programs;
    this.library = library;
    this.progress = progress;
  }

  /**
   * @param builds where the command keeps what it was built of
   */
  static Table measure(Programs programs, Path builds, int rounds, PrintStream progress)
      throws IOException {
    try (Stream<Path> found = Files.list(builds)) {
      Path library = found.findFirst().orElseThrow().resolve("lib").toAbsolutePath().normalize();
      return new ConnectorMemory(programs, library, progress).measure(rounds);
    }
  }

  private Table measure(int rounds) throws IOException {
    Table table =
        new Table(
            "sedge run with a table of", "jars", "classes", "peak RSS MB", "than with its own");
    for (Script script : SCRIPTS) {
      List<Run> all = new ArrayList<>();
      List<Run> own = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        progress.printf("memory, round %d of %d: %s%n", round, rounds, script.name());
        Run whole = run(script, jars());
        all.add(whole);
        own.add(run(script, own(script, whole.jars())));
      }
      row(table, script.name() + ", all jars", jars().size(), all, own);
      row(table, script.name() + ", its own", own(script, all.getFirst().jars()).size(), own, own);
    }
    return table;
  }

  private static void row(Table table, String name, int jars, List<Run> runs, List<Run> own) {
    table.row(
        name,
        Integer.toString(jars),
        Table.number(classes(runs)),
        Table.number(residentMb(runs)),
        "%s classes, %s MB more"
            .formatted(
                Table.number(classes(runs) - classes(own)),
                Table.number(residentMb(runs) - residentMb(own))));
  }

  private static double classes(List<Run> runs) {
    return Rounds.median(runs.stream().map(run -> (double) run.classes()).toList());
  }

  private static double residentMb(List<Run> runs) {
    return Rounds.median(runs.stream().map(Run::residentMb).toList());
  }

  private Set<String> jars() throws IOException {
    try (Stream<Path> all = Files.list(library)) {
      return Set.copyOf(all.map(jar -> library.relativize(jar).toString()).toList());
    }
  }

  private static Set<String> own(Script script, Set<String> loaded) {
    Set<String> own = new HashSet<>(loaded);
    own.removeIf(
        jar ->
            jar.startsWith(CONNECTOR)
                && Stream.concat(
                        Stream.of("api", "datagen", "blackhole"), script.connectors().stream())
                    .noneMatch(name -> jar.startsWith(CONNECTOR + name)));
    return own;
  }

  private Run run(Script script, Set<String> jars) throws IOException {
    Path home = programs.directory().resolve("memory");
    Directories.remove(home);
    Path lib = Files.createDirectories(home.resolve("lib"));
    for (String jar : jars) {
      Files.createSymbolicLink(lib.resolve(jar), library.resolve(jar));
    }
    Path loaded = home.resolve("classes");
    Path file = home.resolve("script.sql");
    Files.writeString(
        file,
        """
        CREATE TABLE readings (v DOUBLE) WITH (%s);
        CREATE TABLE nothing (v DOUBLE) WITH ('connector' = 'blackhole');
        INSERT INTO nothing SELECT v FROM readings;
        """
            .formatted(script.table()));
    // No cache of classes: one is of the jars that it was made with.
    Map<String, String> environment =
        Map.of("SEDGE_LIBRARY", lib.toString(), "JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
    try (SedgeProcess process =
        new SedgeProcess(
            programs.sedge(),
            environment,
            home,
            programs.log("memory"),
            "run",
            file.toString(),
            "--duration",
            "5min")) {
      if (!script.connectors().isEmpty()) {
        process.awaitLine(NOBODY);
      }
      LockSupport.parkNanos(RUN.toNanos());
      double residentMb = Memory.peakResidentMb(Long.toString(process.pid()));
      if (Double.isNaN(residentMb)) {
        throw new IOException("has ended: " + Files.readString(programs.log("memory")));
      }
      List<String> sources =
          Files.readAllLines(loaded).stream()
              .filter(line -> line.contains(SOURCE))
              .map(line -> line.substring(line.indexOf(SOURCE) + SOURCE.length()))
              .toList();
      return new Run(sources.size(), residentMb, loadedFrom(sources));
    }
  }

  private static Set<String> loadedFrom(List<String> sources) {
    return Set.copyOf(
        sources.stream()
            .filter(source -> source.endsWith(".jar"))
            .map(source -> source.substring(source.lastIndexOf('/') + 1))
            .distinct()
            .toList());
  }
}
