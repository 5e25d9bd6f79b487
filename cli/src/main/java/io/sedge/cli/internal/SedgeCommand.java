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
      return commandLine(surroundings).execute(args);
    } catch (Throwable e) {
      // picocli hands exceptions to Failures, but errors (a class that is missing) it does not.
      return new Failures(surroundings)
          .report(JobException.of("running `sedge`", e), List.of(args).contains("--debug"));
    }
  }

  static CommandLine commandLine(Surroundings surroundings) {
    CommandLine commandLine = new CommandLine(new SedgeCommand(surroundings));
    commandLine.addSubcommand(new RunCommand(surroundings));
    commandLine.addSubcommand(new CheckCommand(surroundings));
    commandLine.addSubcommand(new ExplainCommand(surroundings));
    commandLine.addSubcommand(new NewCommand(surroundings));
    commandLine.addSubcommand(
        new CommandLine(new GroupCommand.OfConnections(surroundings))
            .addSubcommand(new ConnectBrowseCommand(surroundings))
            .addSubcommand(new ConnectTestCommand(surroundings)));
    commandLine.addSubcommand(
        new CommandLine(new SimulateCommand(surroundings))
            .addSubcommand(new SubjectCommand.OfPlant(surroundings))
            .addSubcommand(new SubjectCommand.OfLine(surroundings))
            .addSubcommand(new SubjectCommand.OfCity(surroundings))
            .addSubcommand(new SubjectCommand.OfTraffic(surroundings))
            .addSubcommand(new SubjectCommand.OfWard(surroundings))
            .addSubcommand(new SubjectCommand.OfGrid(surroundings)));
    commandLine.addSubcommand(new BrokerCommand(surroundings));
    addSite(commandLine, surroundings);
    commandLine.addSubcommand(new DoctorCommand(surroundings));
    commandLine.addSubcommand(new CompletionCommand(surroundings));
    commandLine.addSubcommand(new ManualCommand(surroundings));
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

  private static void addSite(CommandLine commandLine, Surroundings surroundings) {
    CommandLine devices = new CommandLine(new GroupCommand.OfDevices(surroundings));
    devices.addSubcommand(new DeviceStartCommand(surroundings));
    devices.addSubcommand(new DeviceJoinCommand(surroundings));
    devices.addSubcommand(new DeviceTokenCommand(surroundings));
    devices.addSubcommand(new DeviceConsoleCommand(surroundings));
    devices.addSubcommand(new DeviceDrainCommand(surroundings));
    devices.addSubcommand(new DeviceUndrainCommand(surroundings));
    devices.addSubcommand(new DeviceAllowCommand(surroundings));
    devices.addSubcommand(new DeviceDisallowCommand(surroundings));
    devices.addSubcommand(new DeviceRemoveCommand(surroundings));
    devices.addSubcommand(new DeviceExpelCommand(surroundings));
    devices.addSubcommand(new DeviceAuthorityCommand(surroundings));
    devices.addSubcommand(new DeviceAddressCommand(surroundings));
    devices.addSubcommand(new SiteStatusCommand(surroundings));
    devices.addSubcommand(new DeviceUnitCommand(surroundings));
    devices.addSubcommand(new DeviceBundleCommand(surroundings));
    devices.addSubcommand(new DeviceRehearseCommand(surroundings));
    CommandLine jobs = new CommandLine(new GroupCommand.OfJobs(surroundings));
    jobs.addSubcommand(new JobSubmitCommand(surroundings));
    jobs.addSubcommand(new JobListCommand(surroundings));
    jobs.addSubcommand(new JobWaitCommand(surroundings));
    jobs.addSubcommand(new JobExplainCommand(surroundings));
    JobActionCommand.addTo(jobs, surroundings);
    jobs.addSubcommand(new JobRemoveCommand(surroundings));
    jobs.addSubcommand(new JobLogsCommand(surroundings));
    jobs.addSubcommand(new JobLeftOutCommand(surroundings));
    CommandLine secrets = new CommandLine(new GroupCommand.OfSecrets(surroundings));
    secrets.addSubcommand(new SecretSetCommand(surroundings));
    secrets.addSubcommand(new SecretListCommand(surroundings));
    secrets.addSubcommand(new SecretRemoveCommand(surroundings));
    CommandLine alarms = new CommandLine(new GroupCommand.OfAlarms(surroundings));
    alarms.addSubcommand(new AlarmListCommand(surroundings));
    alarms.addSubcommand(new AlarmShowCommand(surroundings));
    alarms.addSubcommand(new AlarmActionCommand.Acknowledge(surroundings));
    alarms.addSubcommand(new AlarmActionCommand.Shelve(surroundings));
    alarms.addSubcommand(new AlarmActionCommand.Unshelve(surroundings));
    CommandLine sites = new CommandLine(new GroupCommand.OfSites(surroundings));
    sites.addSubcommand(new SiteStatusCommand(surroundings));
    sites.addSubcommand(new SiteReportCommand(surroundings));
    sites.addSubcommand(new SiteWatchCommand(surroundings));
    sites.addSubcommand(new SiteWhyCommand(surroundings));
    sites.addSubcommand(new SiteWhatIfCommand(surroundings));
    sites.addSubcommand(SiteLimitsCommand.line(surroundings));
    sites.addSubcommand(new SiteAllowCommand(surroundings));
    commandLine.addSubcommand(devices).addSubcommand(jobs).addSubcommand(alarms);
    commandLine.addSubcommand(secrets);
    commandLine.addSubcommand(ModelCommands.line(surroundings));
    commandLine.addSubcommand(sites);
    CommandLine centers = new CommandLine(new GroupCommand.OfCenters(surroundings));
    centers.addSubcommand(new CenterStartCommand(surroundings));
    centers.addSubcommand(new CenterUnitCommand(surroundings));
    CenterCommands.addTo(centers, surroundings);
    commandLine.addSubcommand(centers);
  }

  /** Without a command there is nothing to do: the help says what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(surroundings.err());
    return FailureClass.USER.exitCode();
  }
}
