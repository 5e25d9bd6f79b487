package io.sedge.cli.internal;

import io.sedge.task.FailureClass;
import io.sedge.task.JobException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command without a subcommand, and the table of the subcommands. */
@Command(
    name = "sedge",
    versionProvider = Version.class,
    header = "Flink SQL over live sensors, on the machine where they are.",
    descriptionHeading = "",
    optionListHeading = "Options:%n",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "Examples:",
      "  sedge run examples/machine-health.sql     watch this machine",
      "  sedge check plant.sql                     is the script accepted?",
      "  sedge device start                        the first device of a site",
      "  sedge train --generate 10000              train a model on a cluster of TensorFlow's",
      "",
      "`sedge COMMAND --help` tells more about a command.",
      "Exit codes: 0 done, 1 fault in Sedge, 2 wrong script or usage, 3 something outside failed,",
      "4 not enough memory."
    })
public final class SedgeCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      order = 98,
      description = "Show the versions of Sedge and of Java.")
  private boolean showVersion;

  boolean showsVersion() {
    return showVersion;
  }

  @SuppressWarnings("NullAway.Init") // picocli sets spec before it calls anything.
  private SedgeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Runs a command line; returns the exit code. */
  public static int execute(Surroundings surroundings, String... args) {
    try {
      return commandLine(surroundings, args).execute(args);
    } catch (Throwable e) {
      // picocli hands exceptions to Failures, but errors (a class that is missing) it does not.
      return new Failures(surroundings)
          .report(JobException.of("running `sedge`", e), List.of(args).contains("--debug"));
    }
  }

  /**
   * The commands that a command line may mean; all of them where it is empty.
   *
   * @param arguments the command line
   */
  static CommandLine commandLine(Surroundings surroundings, String... arguments) {
    CommandLine commandLine =
        new Subcommands(arguments, 0)
            .add("run", () -> new RunCommand(surroundings))
            .add("check", () -> new CheckCommand(surroundings))
            .add("explain", () -> new ExplainCommand(surroundings))
            .add("new", () -> new NewCommand(surroundings))
            .add("connect", () -> connections(surroundings))
            .add("simulate", () -> simulations(surroundings))
            .add("broker", () -> new BrokerCommand(surroundings))
            .add("device", () -> devices(surroundings, arguments))
            .add("job", () -> jobs(surroundings))
            .add("alarm", () -> alarms(surroundings))
            .add("secret", () -> secrets(surroundings))
            .add("model", () -> ModelCommands.line(surroundings))
            .add("site", () -> sites(surroundings))
            .add("center", () -> centers(surroundings, arguments))
            .add("flink", () -> flink(surroundings))
            .add("train", SedgeCommand::training)
            .add("doctor", () -> new DoctorCommand(surroundings))
            .add("completion", () -> new CompletionCommand(surroundings))
            .add("manual", () -> new ManualCommand(surroundings))
            .below(new SedgeCommand(surroundings));
    Failures failures = new Failures(surroundings);
    return commandLine
        .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
        .setColorScheme(
            CommandLine.Help.defaultColorScheme(
                surroundings.coloursOut() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
        .setExecutionStrategy(SedgeCommand::run)
        .setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(false);
  }

  /** Who asks for the help of a command that there is not is told so, not given other help. */
  private static int run(CommandLine.ParseResult parsed) {
    for (CommandLine asked : parsed.asCommandLineList()) {
      List<String> unmatched = asked.getParseResult().unmatched();
      if (!unmatched.isEmpty()) {
        throw new CommandLine.UnmatchedArgumentException(asked, unmatched);
      }
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  private static CommandLine training() {
    return new CommandLine(new TrainCommand()).setUnmatchedOptionsArePositionalParams(true);
  }

  private static CommandLine connections(Surroundings surroundings) {
    return new CommandLine(new GroupCommand.OfConnections(surroundings))
        .addSubcommand(new ConnectBrowseCommand(surroundings))
        .addSubcommand(new ConnectTestCommand(surroundings));
  }

  private static CommandLine simulations(Surroundings surroundings) {
    return new CommandLine(new SimulateCommand(surroundings))
        .addSubcommand(new SubjectCommand.OfPlant(surroundings))
        .addSubcommand(new SubjectCommand.OfLine(surroundings))
        .addSubcommand(new SubjectCommand.OfCity(surroundings))
        .addSubcommand(new SubjectCommand.OfTraffic(surroundings))
        .addSubcommand(new SubjectCommand.OfWard(surroundings))
        .addSubcommand(new SubjectCommand.OfGrid(surroundings))
        .addSubcommand(new SubjectCommand.OfFarm(surroundings))
        .addSubcommand(new SubjectCommand.OfBuilding(surroundings));
  }

  private static CommandLine devices(Surroundings surroundings, String... arguments) {
    return new Subcommands(arguments, 1)
        .add("start", () -> new DeviceStartCommand(surroundings))
        .add("join", () -> new DeviceJoinCommand(surroundings))
        .add("token", () -> new DeviceTokenCommand(surroundings))
        .add("console", () -> new DeviceConsoleCommand(surroundings))
        .add("drain", () -> new DeviceDrainCommand(surroundings))
        .add("undrain", () -> new DeviceUndrainCommand(surroundings))
        .add("allow", () -> new DeviceAllowCommand(surroundings))
        .add("disallow", () -> new DeviceDisallowCommand(surroundings))
        .add("remove", () -> new DeviceRemoveCommand(surroundings))
        .add("expel", () -> new DeviceExpelCommand(surroundings))
        .add("authority", () -> new DeviceAuthorityCommand(surroundings))
        .add("address", () -> new DeviceAddressCommand(surroundings))
        .add("status", () -> new SiteStatusCommand(surroundings))
        .add("unit", () -> new DeviceUnitCommand(surroundings))
        .add("bundle", () -> new DeviceBundleCommand(surroundings))
        .add("rehearse", () -> new DeviceRehearseCommand(surroundings))
        .below(new GroupCommand.OfDevices(surroundings));
  }

  private static CommandLine jobs(Surroundings surroundings) {
    CommandLine jobs = new CommandLine(new GroupCommand.OfJobs(surroundings));
    jobs.addSubcommand(new JobSubmitCommand(surroundings))
        .addSubcommand(new JobListCommand(surroundings))
        .addSubcommand(new JobWaitCommand(surroundings))
        .addSubcommand(new JobExplainCommand(surroundings));
    JobActionCommand.addTo(jobs, surroundings);
    return jobs.addSubcommand(new JobRemoveCommand(surroundings))
        .addSubcommand(new JobLogsCommand(surroundings))
        .addSubcommand(new JobLeftOutCommand(surroundings));
  }

  private static CommandLine alarms(Surroundings surroundings) {
    return new CommandLine(new GroupCommand.OfAlarms(surroundings))
        .addSubcommand(new AlarmListCommand(surroundings))
        .addSubcommand(new AlarmShowCommand(surroundings))
        .addSubcommand(new AlarmActionCommand.Acknowledge(surroundings))
        .addSubcommand(new AlarmActionCommand.Shelve(surroundings))
        .addSubcommand(new AlarmActionCommand.Unshelve(surroundings));
  }

  private static CommandLine secrets(Surroundings surroundings) {
    return new CommandLine(new GroupCommand.OfSecrets(surroundings))
        .addSubcommand(new SecretSetCommand(surroundings))
        .addSubcommand(new SecretListCommand(surroundings))
        .addSubcommand(new SecretRemoveCommand(surroundings));
  }

  private static CommandLine sites(Surroundings surroundings) {
    return new CommandLine(new GroupCommand.OfSites(surroundings))
        .addSubcommand(new SiteStatusCommand(surroundings))
        .addSubcommand(new SiteReportCommand(surroundings))
        .addSubcommand(new SiteWatchCommand(surroundings))
        .addSubcommand(new SiteWhyCommand(surroundings))
        .addSubcommand(new SiteWhatIfCommand(surroundings))
        .addSubcommand(SiteLimitsCommand.line(surroundings))
        .addSubcommand(new SiteAllowCommand(surroundings));
  }

  private static CommandLine centers(Surroundings surroundings, String... arguments) {
    Subcommands centers =
        new Subcommands(arguments, 1)
            .add("start", () -> new CenterStartCommand(surroundings))
            .add("unit", () -> new CenterUnitCommand(surroundings));
    CenterCommands.addTo(centers, surroundings);
    return centers.below(new GroupCommand.OfCenters(surroundings));
  }

  private static CommandLine flink(Surroundings surroundings) {
    return new CommandLine(new GroupCommand.OfFlink(surroundings))
        .addSubcommand(new FlinkSubmitCommand(surroundings));
  }

  /** Without a command there is nothing to do: the help says what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(surroundings.err());
    return FailureClass.USER.exitCode();
  }
}
