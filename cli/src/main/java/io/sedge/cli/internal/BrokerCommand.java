package io.sedge.cli.internal;

import io.sedge.broker.BrokerException;
import io.sedge.broker.BrokerTls;
import io.sedge.broker.BrokerTraffic;
import io.sedge.broker.EmbeddedBroker;
import io.sedge.cli.internal.output.Style;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge broker}. */
@Command(
    name = "broker",
    header = "Runs an MQTT broker (5 and 3.1.1), for trying Sedge on one machine.",
    description = {
      "Listens on loopback and keeps everything in memory, until Ctrl-C. Elsewhere it listens only",
      "with mutual TLS. What is full is full: a client that is away or slow gets the first"
          + " messages",
      "later, some 10,000 of them with the usual heap (128 MB, $SEDGE_HEAP), and no more than that."
    },
    footer = {
      "Examples:",
      "  sedge broker",
      "  sedge broker --port 1884 --data /var/lib/sedge-broker",
      "  SEDGE_BROKER_PASSWORD=... sedge broker --user plant",
      "",
      "Passwords come from the environment: SEDGE_BROKER_PASSWORD (of --user),",
      "SEDGE_KEY_STORE_PASSWORD, SEDGE_TRUST_STORE_PASSWORD."
    })
final class BrokerCommand extends CommandOptions implements Callable<Integer> {
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(10);

  private final Surroundings surroundings;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      defaultValue = "127.0.0.1",
      description = "Listen on this address (default: ${DEFAULT-VALUE}).")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "NUMBER",
      defaultValue = "1883",
      description = "Listen on this port, 0 for any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      description = "Keep sessions and messages here, so that they outlive the broker.")
  private @Nullable Path data;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Let in only who gives this name and SEDGE_BROKER_PASSWORD.")
  private @Nullable String user;

  @Option(
      names = "--key-store",
      paramLabel = "FILE",
      description = "Talk TLS: PKCS #12 file with the broker's certificate and key.")
  private @Nullable Path keyStore;

  @Option(
      names = "--trust-store",
      paramLabel = "FILE",
      description = "Talk TLS: PKCS #12 file with the authorities of the clients.")
  private @Nullable Path trustStore;

  BrokerCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    // Before it starts: a start that is broken off would leave its passwords in a file.
    surroundings.interruptions().onInterrupt(stopped::countDown);
    surroundings.err().println("sedge: the broker starts ...");
    EmbeddedBroker broker = start();
    try (broker) {
      surroundings.err().println("sedge: the broker listens on " + broker.url());
      watch(broker, stopped);
    }
    BrokerTraffic traffic = broker.traffic();
    surroundings
        .err()
        .printf(
            "sedge: the broker has stopped: %,d messages received, %,d sent, %,d dropped%n",
            traffic.received(), traffic.sent(), traffic.dropped());
    return 0;
  }

  /** Waits for the end, and says meanwhile when messages are dropped. */
  private void watch(EmbeddedBroker broker, CountDownLatch stopped) throws InterruptedException {
    long said = 0;
    while (!stopped.await(LOOK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
      long dropped = broker.traffic().dropped();
      if (dropped > said) {
        surroundings
            .err()
            .printf(
                "sedge: %s %,d messages dropped, for clients that are away or too slow%n",
                Style.YELLOW.on(surroundings.coloursErr(), "warning:"), dropped - said);
        said = dropped;
      }
    }
  }

  private EmbeddedBroker start() throws JobException {
    EmbeddedBroker.Builder builder = EmbeddedBroker.builder().host(host).port(port);
    if (data != null) {
      builder.dataDirectory(surroundings.directory().resolve(data));
    }
    if (user != null) {
      builder.login(user, secret("SEDGE_BROKER_PASSWORD", "--user"));
    }
    if (keyStore != null || trustStore != null) {
      builder.tls(tls(keyStore, trustStore));
    }
    try {
      return builder.start();
    } catch (IllegalArgumentException e) {
      throw new JobException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (BrokerException e) {
      throw new JobException(
          e.getCause() instanceof BindException
              ? FailureCode.ADDRESS_IN_USE
              : FailureCode.CONNECTION_FAILED,
          String.valueOf(e.getMessage()),
          e);
    }
  }

  private BrokerTls tls(@Nullable Path keys, @Nullable Path authorities) throws JobException {
    if (keys == null || authorities == null) {
      throw new JobException(
          FailureCode.USAGE,
          "TLS needs both --key-store and --trust-store; one of them is missing");
    }
    return new BrokerTls(
        surroundings.directory().resolve(keys),
        secret("SEDGE_KEY_STORE_PASSWORD", "--key-store"),
        surroundings.directory().resolve(authorities),
        secret("SEDGE_TRUST_STORE_PASSWORD", "--trust-store"));
  }

  private String secret(String variable, String option) throws JobException {
    String value = surroundings.environment().get(variable);
    if (value == null || value.isEmpty()) {
      throw new JobException(
          FailureCode.USAGE,
          "%s needs a password in the environment variable %s, which is not set"
              .formatted(option, variable));
    }
    return value;
  }
}
