package io.sedge.bench;

import io.sedge.bench.center.CenterBenchmark;
import io.sedge.bench.connectors.ConnectorBenchmark;
import io.sedge.bench.parts.Failover;
import io.sedge.bench.parts.MeasuredBroker;
import io.sedge.bench.parts.PlantCost;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the command line asks for.
 *
 * @param parts of {@link #PARTS}, in their order
 * @param contenders by name
 * @param readings measured in a lap of W1 to W3
 * @param rounds how often everything is measured; the median counts
 * @param seconds for which W4 and MQTT are measured, each
 * @param plant what part plant measures
 * @param failover what part failover measures
 * @param center what part center measures
 * @param fleet the sites of part fleet
 * @param connectors what the parts of connectors measure
 */
record Settings(
    List<String> parts,
    List<String> workloads,
    List<String> contenders,
    long readings,
    int rounds,
    int seconds,
    PlantCost.Plan plant,
    Failover.Plan failover,
    CenterBenchmark.Plan center,
    int fleet,
    ConnectorBenchmark.Plan connectors) {
  private static final List<String> OWN_PARTS =
      List.of(
          "throughput",
          "latency",
          "start",
          "mqtt",
          "kernels",
          "site",
          "slowdown",
          "replication",
          "plant",
          "failover",
          "center",
          "fleet");
  static final List<String> PARTS =
      Stream.concat(OWN_PARTS.stream(), ConnectorBenchmark.PARTS.stream()).toList();
  static final List<String> WORKLOADS = List.of("W1", "W2", "W3");

  static final String HELP =
      """
      usage: bench/run [options]

      Builds, then measures Sedge beside its peers on this machine, and prints tables in Markdown to the
      standard output; what it is doing goes to the standard error. Takes about two hours; nothing else
      should run meanwhile.

        --parts=LIST        of %s (all)
                            throughput: W1, W2, W3   latency: W4   start: time to the first row, and memory
                            mqtt: against a Mosquitto that it starts   kernels: JMH
                            site: a bounded job over four devices of speed 1:2:3:4
                            slowdown: one of three devices loses three quarters of its speed
                            replication: what a reading costs on one device and on three
                            plant: what a site takes at the rate of a plant, and sedge run beside it
                            failover: how long each shard stands still when a device is killed or drained
                            center: rows of three sites into it, many sites after an outage, what reporting costs
                            fleet: one job over many sites, merged in the center, and one machine with all readings
                            kafka: topic to topic, exactly once, beside Flink SQL; and with a device that is killed
                            modbus, opc-ua, sparkplug: at steady rates, beside bare clients
                            jdbc: upserts, beside a loop over JDBC   memory: of connectors that are not used
        --workloads=LIST    of %s, for throughput (all)
        --contenders=LIST   of %s (all)
        --readings=N        in a lap of W1, W2, W3 (20000000)
        --rounds=N          how often; the median counts (3)
        --seconds=N         for which W4, MQTT, site (20), each phase of plant (180), what reporting to a
                            center costs (300), and steady rates of connectors (30) are measured
        --phases=LIST       of %s, for plant: no job, one without readings, readings a second (all)
        --window=N          seconds of its clock that the window of a machine has, for plant, whose clock runs
                            ten times as fast as ours (5, as in examples/site.sql)
        --kills=N           of devices, for failover and kafka (20)
        --moves=N           how often failover drains a device, and how often it stops one (5)
        --broker=NAME       of %s, for plant and failover (embedded, README's)
        --qos=N             of MQTT, 0 to 2, for failover (1)
        --sites=N           that reconnect to a center at once (500); of fleet, each a process (20)
        --windows=N         of 50 rows, which each of them has waiting (360, an hour's)
        --quick             a look in about half an hour: --readings=3000000 --rounds=1 --seconds=5
                            --kills=3 --moves=1 --windows=60
        --help
      """;

  static String help() {
    return HELP.formatted(
        String.join(", ", PARTS),
        String.join(", ", WORKLOADS),
        String.join(", ", Entry.names()),
        String.join(", ", PlantCost.PHASES),
        String.join(", ", MeasuredBroker.KINDS));
  }

  /**
   * Reads the arguments.
   *
   * @throws IllegalArgumentException with a message for people
   */
  static Settings parse(String[] args) {
    Options options = new Options(args, Set.of("--quick"));
    boolean quick = options.has("--quick");
    String broker = options.choice("--broker", MeasuredBroker.KINDS);
    Settings settings =
        new Settings(
            options.list("--parts", PARTS),
            options.list("--workloads", WORKLOADS),
            options.list("--contenders", Entry.names()),
            options.count("--readings", quick ? 3_000_000 : 20_000_000),
            options.count("--rounds", quick ? 1 : 3),
            options.count("--seconds", quick ? 5 : 20),
            new PlantCost.Plan(
                options.list("--phases", PlantCost.PHASES),
                broker,
                options.count("--window", PlantCost.EXAMPLE_WINDOW),
                options.count("--seconds", quick ? 30 : 180)),
            new Failover.Plan(
                options.count("--kills", quick ? 3 : 20),
                options.count("--moves", quick ? 1 : 5),
                broker,
                options.number("--qos", 1, 0, 2)),
            new CenterBenchmark.Plan(
                quick ? 300_000 : 900_000,
                options.count("--sites", 500),
                options.count("--windows", quick ? 60 : 360),
                options.count("--seconds", quick ? 30 : 300),
                options.count("--rounds", quick ? 1 : 3)),
            options.count("--sites", 20),
            new ConnectorBenchmark.Plan(
                quick ? 1_000_000 : 3_000_000,
                quick ? 100_000 : 400_000,
                quick ? 5_000 : 50_000,
                options.count("--kills", quick ? 3 : 20),
                options.count("--seconds", quick ? 10 : 30),
                options.count("--rounds", quick ? 1 : 3)));
    options.refuseOthers();
    return settings;
  }
}
