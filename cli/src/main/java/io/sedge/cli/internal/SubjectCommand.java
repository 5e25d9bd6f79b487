package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.simulator.PlannedFault;
import io.sedge.simulator.SimulationOptions;
import io.sedge.simulator.SimulationPublisher;
import io.sedge.simulator.SimulationReport;
import io.sedge.simulator.Subject;
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

/** What {@code sedge simulate} simulates: a command for each {@link Subject}. */
abstract class SubjectCommand extends CommandOptions implements Callable<Integer> {
  private final Subject subject;
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
        "or NAME:TARGET@30s, where NAME is one of those above."
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

  SubjectCommand(Subject subject, Surroundings surroundings) {
    this.subject = subject;
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws JobException, InterruptedException {
    SimulationPublisher publisher =
        new SimulationPublisher(
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

  private static String text(SimulationReport report) {
    return "the simulation has stopped: %,d readings sent, %,d acknowledged, %,d failed; %,d commands obeyed, %,d refused; %s of its time"
        .formatted(
            report.sent(),
            report.acknowledged(),
            report.failed(),
            report.commandsObeyed(),
            report.commandsRefused(),
            Quantities.duration(Duration.ofMillis((long) (report.simulatedSeconds() * 1000))));
  }

  private SimulationOptions options() throws JobException {
    try {
      return new SimulationOptions(
          subject,
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

  private Optional<SimulationOptions.Credentials> credentials() throws JobException {
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
    return Optional.of(new SimulationOptions.Credentials(user, password));
  }

  /** {@code sedge simulate plant}. */
  @Command(
      name = "plant",
      header = "A small plant (pumps, valves, tanks) that publishes its sensors over MQTT.",
      description = {
        "Publishes on plant/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "plant/ZONE/MACHINE/set/QUANTITY (a set-point), plant/ZONE/MACHINE/rate/QUANTITY (a"
            + " sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/plant.md says what it models.",
        "",
        "Faults: bearing-wear, cavitation, blocked-filter, stuck-valve, leak, sensor-drift,",
        "sensor-frozen, sensor-dropout."
      },
      footer = {
        "Examples:",
        "  sedge simulate plant",
        "  sedge simulate plant --rate 100 --duration 10min",
        "  sedge simulate plant --fault bearing-wear@30s --fault leak@1m..3m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfPlant extends SubjectCommand {
    OfPlant(Surroundings surroundings) {
      super(Subject.PLANT, surroundings);
    }
  }

  /** {@code sedge simulate line}. */
  @Command(
      name = "line",
      header = "Two production lines with presses and mills.",
      description = {
        "Publishes on line/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "line/ZONE/MACHINE/set/QUANTITY (a set-point), line/ZONE/MACHINE/rate/QUANTITY (a sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models.",
        "",
        "Faults: jam, tool-wear, sensor-drift, sensor-frozen, sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate line --speed 10 --fault jam@2m..8m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfLine extends SubjectCommand {
    OfLine(Surroundings surroundings) {
      super(Subject.LINE, surroundings);
    }
  }

  /** {@code sedge simulate city}. */
  @Command(
      name = "city",
      header = "Air, noise and car parks of three districts.",
      description = {
        "Publishes on city/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "city/ZONE/MACHINE/set/QUANTITY (a set-point), city/ZONE/MACHINE/rate/QUANTITY (a sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models.",
        "",
        "Faults: inversion, public-event, sensor-drift, sensor-frozen, sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate city --speed 10 --fault inversion@2m..8m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfCity extends SubjectCommand {
    OfCity(Surroundings surroundings) {
      super(Subject.CITY, surroundings);
    }
  }

  /** {@code sedge simulate traffic}. */
  @Command(
      name = "traffic",
      header = "Two crossings with signals.",
      description = {
        "Publishes on traffic/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "traffic/ZONE/MACHINE/set/QUANTITY (a set-point), traffic/ZONE/MACHINE/rate/QUANTITY (a"
            + " sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models.",
        "",
        "Faults: rush, sensor-drift, sensor-frozen, sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate traffic --speed 10 --fault rush@2m..8m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfTraffic extends SubjectCommand {
    OfTraffic(Surroundings surroundings) {
      super(Subject.TRAFFIC, surroundings);
    }
  }

  /** {@code sedge simulate ward}. */
  @Command(
      name = "ward",
      header = "Patients at bedside monitors.",
      description = {
        "Publishes on ward/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "ward/ZONE/MACHINE/set/QUANTITY (a set-point), ward/ZONE/MACHINE/rate/QUANTITY (a sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models.",
        "",
        "Faults: sepsis, sensor-drift, sensor-frozen, sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate ward --speed 10 --fault sepsis@2m..8m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfWard extends SubjectCommand {
    OfWard(Surroundings surroundings) {
      super(Subject.WARD, surroundings);
    }
  }

  /** {@code sedge simulate grid}. */
  @Command(
      name = "grid",
      header = "A transformer with houses, chargers and a solar roof behind it.",
      description = {
        "Publishes on grid/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "grid/ZONE/MACHINE/set/QUANTITY (a set-point), grid/ZONE/MACHINE/rate/QUANTITY (a sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models.",
        "",
        "Faults: heat-wave, evening-peak, sensor-drift, sensor-frozen, sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate grid --speed 10 --fault heat-wave@2m..8m",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfGrid extends SubjectCommand {
    OfGrid(Surroundings surroundings) {
      super(Subject.GRID, surroundings);
    }
  }

  /** {@code sedge simulate farm}. */
  @Command(
      name = "farm",
      header = "Two fields with drip irrigation, a tank and its pump.",
      description = {
        "Publishes on farm/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "farm/ZONE/MACHINE/set/QUANTITY (a set-point), farm/ZONE/MACHINE/rate/QUANTITY (a sampling",
        "rate in hertz) and sim/fault/NAME (on or off), until Ctrl-C. It needs a broker:",
        "`sedge broker` will do. docs/fields.md says what it models. Things change",
        "within hours: let time pass fast, and read seldom.",
        "",
        "Faults: cold-snap, pump-failure, sensor-drift, sensor-frozen,",
        "sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate farm --speed 600 --rate 0.02 --fault cold-snap@1h..5h",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfFarm extends SubjectCommand {
    OfFarm(Surroundings surroundings) {
      super(Subject.FARM, surroundings);
    }
  }

  /** {@code sedge simulate building}. */
  @Command(
      name = "building",
      header = "Two floors of meeting rooms with ventilation.",
      description = {
        "Publishes on building/ZONE/MACHINE/QUANTITY and obeys what is published on",
        "building/ZONE/MACHINE/set/QUANTITY (a set-point),",
        "building/ZONE/MACHINE/rate/QUANTITY (a sampling rate in hertz) and",
        "sim/fault/NAME (on or off), until Ctrl-C. It needs a broker: `sedge broker`",
        "will do. docs/fields.md says what it models. Things change within hours: let",
        "time pass fast, and read seldom.",
        "",
        "Faults: full-house, stuck-damper, sensor-drift, sensor-frozen,",
        "sensor-dropout."
      },
      footer = {
        "Example:",
        "  sedge simulate building --speed 600 --rate 0.02 --fault full-house@30m..4h",
        "",
        "The password of --user comes from the environment variable SEDGE_BROKER_PASSWORD."
      })
  static final class OfBuilding extends SubjectCommand {
    OfBuilding(Surroundings surroundings) {
      super(Subject.BUILDING, surroundings);
    }
  }
}
