package io.sedge.cli.internal;

import io.sedge.task.FailureClass;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that only has others below it. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "",
    optionListHeading = "Options:%n")
abstract class GroupCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets spec before it calls anything.
  GroupCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(surroundings.err());
    return FailureClass.USER.exitCode();
  }

  /** {@code sedge device}. */
  @Command(
      name = "device",
      header = "Runs a device of a site on this machine, and looks after a site's devices.",
      footer = {
        "Examples:",
        "  sedge device start --data a                          the first device of a new site",
        "  sedge device join 10.0.0.7:7411 --token T --data b   one more",
        "  sedge device drain gateway-2"
      })
  static final class OfDevices extends GroupCommand {
    OfDevices(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge job}. */
  @Command(
      name = "job",
      header = "Runs scripts on the devices of a site.",
      footer = {
        "Examples:",
        "  sedge job submit plant.sql",
        "  sedge job list",
        "  sedge job logs plant -f"
      })
  static final class OfJobs extends GroupCommand {
    OfJobs(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge connect}. */
  @Command(
      name = "connect",
      header = "Looks at brokers, servers and databases, and tries the tables of a script.",
      footer = {
        "Examples:",
        "  sedge connect browse mqtt://localhost:1883 > plant.sql",
        "  sedge connect browse kafka://localhost:9092",
        "  sedge connect browse jdbc:sqlite:plant.db",
        "  sedge connect test plant.sql"
      })
  static final class OfConnections extends GroupCommand {
    OfConnections(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge flink}. */
  @Command(
      name = "flink",
      header = "Runs scripts on a cluster of Flink's.",
      footer = {
        "Examples:",
        "  sedge flink submit plant.sql --to http://jobmanager:8081",
        "  sedge flink submit plant.sql --dry-run"
      })
  static final class OfFlink extends GroupCommand {
    OfFlink(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge secret}. */
  @Command(
      name = "secret",
      header = "Keeps passwords and the like for a site's jobs, out of their scripts.",
      footer = {
        "Examples:",
        "  sedge secret set mqtt                    asks for the value",
        "  sedge secret list",
        "",
        "In a script, in the options of a table: 'password' = '$${secret:mqtt}'"
      })
  static final class OfSecrets extends GroupCommand {
    OfSecrets(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge model}. */
  @Command(
      name = "model",
      header = "Trains models of a site's jobs on its devices, and says which version scores.",
      footer = {
        "Examples:",
        "  sedge model train wear",
        "  sedge model show wear",
        "  sedge model rollback wear",
        "  sedge model export wear wear.onnx"
      })
  static final class OfModels extends GroupCommand {
    OfModels(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge alarm}. */
  @Command(
      name = "alarm",
      header = "Shows a site's alarms, acknowledges them, puts them aside.",
      footer = {
        "Examples:",
        "  sedge alarm list",
        "  sedge alarm acknowledge 17",
        "  sedge alarm shelve 17 --for 8h",
        "  sedge alarm show 17"
      })
  static final class OfAlarms extends GroupCommand {
    OfAlarms(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge center}. */
  @Command(
      name = "center",
      header = "Runs a center, to which sites report, and asks it.",
      footer = {
        "Examples:",
        "  sedge center start --data hq",
        "  sedge center start --listen 10.0.0.2:7440 --name center.plant.example",
        "  sedge center token --site north",
        "  sedge center query 'SELECT * FROM machines ORDER BY window_end DESC LIMIT 10'",
        "  sedge center status --at https://10.0.0.2:7441 --token-file token --ca certificate.pem"
      })
  static final class OfCenters extends GroupCommand {
    OfCenters(Surroundings surroundings) {
      super(surroundings);
    }
  }

  /** {@code sedge site}. */
  @Command(
      name = "site",
      header =
          "Shows a site: devices, jobs, where each task runs and why, what it allows; has it"
              + " report.",
      footer = {
        "Examples:",
        "  sedge site status",
        "  sedge site watch",
        "  sedge site why plant/readings/press",
        "  sedge site what-if --lose gateway-2",
        "  sedge site limits --silence 2s",
        "  sedge site report --to 10.0.0.2:7440 --token-file /run/token"
      })
  static final class OfSites extends GroupCommand {
    OfSites(Surroundings surroundings) {
      super(surroundings);
    }
  }
}
