package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.simulator.PlannedFault;
import io.sedge.simulator.PlantOptions;
import io.sedge.simulator.PlantPublisher;
import io.sedge.simulator.PlantReport;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sedge simulate plant}. */
@Command(
    name = "plant",
    header = "A small plant (pumps, valves, tanks) that publishes its sensors over MQTT.",
    description = {
      "Publishes on plant/ZONE/MACHINE/QUANTITY and obeys what is published on",
      "plant/ZONE/MACHINE/set/QUANTITY (a set-point), plant/ZONE/MACHINE/rate/QUANTITY (a sampling",
      "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
      "`sedge broker` will do. docs/plant.md says what it models."
    },
    footer = {
      "Examples:",
      "  sedge simulate plant",
      "  sedge simulate plant --rate 100 --duration 10min",
      "  sedge simulate plant --fault bearing-wear@30s --fault leak@1m..3m",
      "",
      "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
    })
final class PlantCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(
      names = "--broker",
      paramLabel = "URL",
      defaultValue = "mqtt://localhost:1883",
      description = "Where to publish: mqtt or mqtts (default: ${DEFAULT-VALUE}).")
  private String broker = "";

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Log in with this name and SEDGE_BROKER_PASSWORD.")
  private @Nullable String user;

  @Option(
      names = "--rate",
      paramLabel = "HERTZ",
      defaultValue = "1",
      description = "Readings per second and sensor, 0.01 to 1000 (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--speed",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = "How much faster than real time passes (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End after this simulated time: 60s, 10min, 2h.")
  private @Nullable Duration duration;

  @Option(
      names = "--fault",
      paramLabel = "FAULT@TIME",
      description = {
        "Something goes wrong then; may be repeated. NAME@30s, NAME@1m..3m",
        "or NAME:TARGET@30s, where NAME is one of bearing-wear, cavitation,",
        "blocked-filter, stuck-valve, leak, sensor-drift, sensor-frozen,",
        "sensor-dropout."
      })
  private List<String> faults = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Of all that is random (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--audit",
      paramLabel = "FILE",
      description = "Write there, as JSON, what was sent.")
  private @Nullable Path audit;

  PlantCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    PlantPublisher publisher =
        new PlantPublisher(
            options(), surroundings.clock(), line -> surroundings.err().println("sedge: " + line));
    surroundings.interruptions().onInterrupt(publisher::stop);
    try {
      surroundings.err().println("sedge: " + text(publisher.run()));
    } catch (IllegalArgumentException e) {
      throw new JobException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new JobException(
          FailureCode.CONNECTION_FAILED,
          "%s; is a broker running at %s? `sedge broker` starts one"
              .formatted(e.getMessage(), broker),
          e);
    }
    return 0;
  }

  private static String text(PlantReport report) {
    return "the plant has stopped: %,d readings sent, %,d acknowledged, %,d failed; %,d commands obeyed, %,d refused; %s of its time"
        .formatted(
            report.sent(),
            report.acknowledged(),
            report.failed(),
            report.commandsObeyed(),
            report.commandsRefused(),
            Quantities.duration(Duration.ofMillis((long) (report.simulatedSeconds() * 1000))));
  }

  private PlantOptions options() throws JobException {
    try {
      return new PlantOptions(
          new URI(broker),
          credentials(),
          seed,
          rate,
          speed,
          Optional.ofNullable(duration),
          faults.stream().map(PlannedFault::parse).toList(),
          Optional.ofNullable(audit).map(surroundings.directory()::resolve));
    } catch (IllegalArgumentException e) {
      throw new JobException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    } catch (URISyntaxException e) {
      throw new JobException(
          FailureCode.USAGE,
          "--broker=%s is not an address; write it as mqtt://localhost:1883".formatted(broker),
          e);
    }
  }

  private Optional<PlantOptions.Credentials> credentials() throws JobException {
    if (user == null) {
      return Optional.empty();
    }
    String password = surroundings.environment().getOrDefault("SEDGE_BROKER_PASSWORD", "");
    if (password.isEmpty()) {
      throw new JobException(
          FailureCode.USAGE,
          "--user needs a password in the environment variable SEDGE_BROKER_PASSWORD, which is not"
              + " set");
    }
    return Optional.of(new PlantOptions.Credentials(user, password));
  }
}
