package io.sedge.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * A contender and how its process is started.
 *
 * @param name for people
 * @param type its class
 * @param options of its virtual machine, as its own documentation recommends
 * @param flink whether Flink's class path is its
 */
public record Entry(String name, String type, List<String> options, boolean flink) {
  static final String SEDGE = "Sedge";
  private static final String PEERS = "io.sedge.bench.peers.";

  /** As the launcher sets them, less its cache of classes. */
  private static final List<String> SEDGE_OPTIONS =
      List.of(
          "-Xms16m",
          "-Xmx64m",
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:ReservedCodeCacheSize=48m",
          "-XX:-UsePerfData");

  /** Flink's env.java.opts.all, what of it a local environment needs. */
  private static final List<String> FLINK_OPTIONS =
      List.of(
          "-Xmx2g",
          "-XX:+UseG1GC",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  /** What Hazelcast asks for when it starts without it. */
  private static final List<String> JET_OPTIONS =
      List.of(
          "-Xmx2g",
          "-XX:+UseG1GC",
          "--add-modules=java.se",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.management/sun.management=ALL-UNNAMED",
          "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED");

  /** All there are; Sedge first. */
  public static final List<Entry> ALL =
      List.of(
          new Entry(SEDGE, PEERS + "SedgeJob", SEDGE_OPTIONS, false),
          new Entry("loop", PEERS + "HandWrittenLoop", List.of("-Xmx2g"), false),
          new Entry("Jet", PEERS + "JetJob", JET_OPTIONS, false),
          new Entry("Esper", PEERS + "EsperJob", List.of("-Xms2g", "-Xmx2g"), false),
          new Entry("DataStream", PEERS + "FlinkDataStreamJob", FLINK_OPTIONS, true),
          new Entry("FlinkSQL", PEERS + "FlinkSqlJob", FLINK_OPTIONS, true));

  static List<String> names() {
    return ALL.stream().map(Entry::name).toList();
  }

  /** Sedge itself. */
  public static Entry sedge() {
    return named(SEDGE);
  }

  /** Flink SQL. */
  public static Entry flinkSql() {
    return named("FlinkSQL");
  }

  static Entry named(String name) {
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst().orElseThrow();
  }

  /** The command of a process that measures runs, see {@link BenchRun}. */
  public List<String> command(ClassPath classPath, List<String> arguments) {
    return command(classPath, BenchRun.class, arguments);
  }

  /** The command of a process that runs another program. */
  public List<String> command(ClassPath classPath, Class<?> program, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(ClassPath.java());
    command.addAll(options);
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", flink ? classPath.flink() : classPath.others()));
    command.add(program.getName());
    command.addAll(arguments);
    return command;
  }
}
