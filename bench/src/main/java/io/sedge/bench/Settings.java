package io.sedge.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the command line asks for.
 *
 * @param parts of {@link #PARTS}, in their order
 * @param contenders by name
 * @param readings measured in a lap of W1 to W3
 * @param rounds how often everything is measured; the median counts
 * @param seconds for which W4 and MQTT are measured, each
 */
record Settings(
    List<String> parts,
    List<String> workloads,
    List<String> contenders,
    long readings,
    int rounds,
    int seconds) {
  static final List<String> PARTS =
      List.of(
          "throughput", "latency", "start", "mqtt", "kernels", "site", "slowdown", "replication");
  static final List<String> WORKLOADS = List.of("W1", "W2", "W3");

  static final String HELP =
      """
      usage: bench/run [options]

      Builds, then measures Sedge beside its peers on this machine, and prints tables in Markdown to the
      standard output; what it is doing goes to the standard error. Takes about 55 minutes; nothing else
      should run meanwhile.

        --parts=LIST        of %s (all)
                            throughput: W1, W2, W3   latency: W4   start: time to the first row, and memory
                            mqtt: against a Mosquitto that it starts   kernels: JMH
                            site: a bounded job over four devices of speed 1:2:3:4
                            slowdown: one of three devices loses three quarters of its speed
                            replication: what a reading costs on one device and on three
        --workloads=LIST    of %s, for throughput (all)
        --contenders=LIST   of %s (all)
        --readings=N        in a lap of W1, W2, W3 (20000000)
        --rounds=N          how often; the median counts (3)
        --seconds=N         for which W4, MQTT and site are measured, each (20)
        --quick             a look in about five minutes: --readings=3000000 --rounds=1 --seconds=5
        --help
      """;

  static String help() {
    return HELP.formatted(
        String.join(", ", PARTS), String.join(", ", WORKLOADS), String.join(", ", Entry.names()));
  }

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException with a message for people
   */
  static Settings parse(String[] args) {
    Map<String, String> options = new LinkedHashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      boolean known = arg.equals("--quick") || (arg.startsWith("--") && equals > 0);
      if (!known) {
        throw new IllegalArgumentException("%s is not an option; see --help".formatted(arg));
      }
      String name = equals < 0 ? arg : arg.substring(0, equals);
      if (options.put(name, arg.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("%s is given twice".formatted(name));
      }
    }
    boolean quick = options.remove("--quick") != null;
    Settings settings =
        new Settings(
            list(options, "--parts", PARTS),
            list(options, "--workloads", WORKLOADS),
            list(options, "--contenders", Entry.names()),
            number(options, "--readings", quick ? 3_000_000 : 20_000_000),
            (int) number(options, "--rounds", quick ? 1 : 3),
            (int) number(options, "--seconds", quick ? 5 : 20));
    if (!options.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is not an option; see --help".formatted(options.keySet().iterator().next()));
    }
    return settings;
  }

  private static List<String> list(Map<String, String> options, String name, List<String> allowed) {
    String given = options.remove(name);
    if (given == null) {
      return allowed;
    }
    List<String> wanted = Arrays.asList(given.split(",", -1));
    Set<String> unknown = new TreeSet<>(wanted);
    allowed.forEach(unknown::remove);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "%s=%s: %s is none of %s"
              .formatted(name, given, String.join(", ", unknown), String.join(", ", allowed)));
    }
    return allowed.stream().filter(wanted::contains).toList();
  }

  private static long number(Map<String, String> options, String name, long standard) {
    String given = options.remove(name);
    if (given == null) {
      return standard;
    }
    try {
      long number = Long.parseLong(given);
      if (number > 0 && number <= Integer.MAX_VALUE) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s=%s is not a number; 1 to 2147483647".formatted(name, given), e);
    }
    throw new IllegalArgumentException(
        "%s=%s is out of range; 1 to 2147483647".formatted(name, given));
  }
}
