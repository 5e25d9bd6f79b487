package io.sedge.bench.mqtt;

import io.sedge.bench.Report;

/**
 * A process that takes messages from a broker: {@code MqttConsumer CLASS PORT WARMUP TOTAL}. Prints
 * its {@link Report} when all have come, on a line.
 */
public final class MqttConsumer {
  /** The session that the broker keeps for consumers, so that messages may come before them. */
  static final String CLIENT = "sedge-bench";

  /** What the connector subscribes to for its pattern; another filter would bring all twice. */
  static final String FILTER = "bench/+";

  private MqttConsumer() {}

  /** A way of taking messages. */
  interface Client {
    /** Starts to take messages; returns when all have arrived. */
    void run(int port, Arrivals arrivals) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Client client = Class.forName(args[0]).asSubclass(Client.class).getConstructor().newInstance();
    Arrivals arrivals = new Arrivals(Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    client.run(Integer.parseInt(args[1]), arrivals);
    System.out.println(arrivals.report().line());
    System.exit(0);
  }
}
