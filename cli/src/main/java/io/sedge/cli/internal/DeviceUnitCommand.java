package io.sedge.cli.internal;

import static java.util.stream.Collectors.joining;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge device unit}. */
@Command(
    name = "unit",
    header = "Prints a systemd unit with which a device comes back after a reboot.",
    description = {
      "For this installation, as it lies here. What follows `--` are options of `device start`",
      "that each start is to have."
    },
    footer = {
      "Examples:",
      "  sedge device unit | sudo tee /etc/systemd/system/sedge.service",
      "  sedge device unit --user plant -- --cpu 0.5 --memory 256m --metrics 127.0.0.1:9464"
    })
final class DeviceUnitCommand extends CommandOptions implements Callable<Integer> {
  private static final Path STATE = Path.of("/var/lib");
  private static final List<Path> HOMES =
      List.of(Path.of("/home"), Path.of("/root"), Path.of("/run/user"));

  private static final String PLAIN = "[A-Za-z0-9_/.,:=@+-]+";

  private final Surroundings surroundings;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      order = 1,
      defaultValue = "/var/lib/sedge",
      description = "The device's data directory (default: ${DEFAULT-VALUE}).")
  private Path data = STATE.resolve("sedge");

  @Option(
      names = "--user",
      paramLabel = "NAME",
      order = 2,
      defaultValue = "sedge",
      description = "Whom it runs as (default: ${DEFAULT-VALUE}).")
  private String user = "sedge";

  @Option(
      names = "--options-file",
      paramLabel = "FILE",
      order = 3,
      description = {
        "Take more options at each start from DEVICE_OPTIONS in this file,",
        "which may set SEDGE_HEAP and JAVA_OPTS too."
      })
  private @Nullable Path optionsFile;

  @Parameters(
      paramLabel = "OPTIONS",
      arity = "0..*",
      description = "Of `sedge device start`, after `--`.")
  private List<String> options = List.of();

  DeviceUnitCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    String launcher = surroundings.environment().getOrDefault("SEDGE_LAUNCHER", "");
    if (launcher.isEmpty()) {
      throw new SiteException(
          FailureCode.USAGE,
          "a unit starts what was installed: run this with the launcher, `./sedge device unit`");
    }
    checkUser();
    Path directory = plain(surroundings.directory().resolve(data).normalize());
    List<String> command =
        Stream.concat(
                Stream.of(launcher, "device", "start", "--data", directory.toString()),
                options.stream())
            .toList();
    // A mistake is better said now than in the journal after a reboot.
    var _ =
        SedgeCommand.commandLine(surroundings)
            .parseArgs(command.subList(1, command.size()).toArray(String[]::new));
    String start = command.stream().map(DeviceUnitCommand::commandWord).collect(joining(" "));
    String environment = environment();
    if (optionsFile != null) {
      start += " $DEVICE_OPTIONS";
      environment += "EnvironmentFile=-" + plain(surroundings.directory().resolve(optionsFile));
    }
    new Answers(surroundings.out())
        .text(unit(start, environment.strip(), directory, plain(Path.of(launcher))));
    return 0;
  }

  private void checkUser() throws SiteException {
    if (!user.matches("[a-z_][a-z0-9_-]{0,30}")) {
      throw new SiteException(FailureCode.USAGE, "--user=%s is no name of a user".formatted(user));
    }
  }

  private String unit(String start, String environment, Path directory, Path launcher) {
    return """
    # A Sedge device, by `sedge device unit`. What differs on this machine: systemctl edit sedge

    [Unit]
    Description=Sedge device
    Documentation=%s
    # It needs no network to begin; an address that is not there yet is tried again.
    After=network.target
    RequiresMountsFor=%s
    # Never given up: a gateway is seldom visited.
    StartLimitIntervalSec=0

    [Service]
    Type=notify
    User=%s
    ExecStart=%s
    WorkingDirectory=%s
    %s
    Restart=always
    # 2 s, then longer each time, up to 2 min (systemd 254 and later).
    RestartSec=2s
    RestartSteps=6
    RestartMaxDelaySec=2min
    # Tasks end with a last commit within 12 s.
    TimeoutStopSec=30s
    TimeoutStartSec=5min
    # Told three times a minute that the device works; else it is started anew.
    WatchdogSec=60s

    # Hard limits, above what --cpu and --memory say; network and ledger are within them too.
    #CPUQuota=100%%
    #MemoryMax=512M
    LimitNOFILE=16384

    # What it may do. No MemoryDenyWriteExecute: Java compiles as it runs. No ProcSubset: the
    # connector `host` reads /proc.
    #
    # Serial lines and GPUs are hidden by PrivateDevices, and ProtectClock refuses devices that are
    # not named. For /dev/ttyUSB0 (a job with modbus-rtu:///dev/ttyUSB0) these three are needed:
    #PrivateDevices=no
    #DeviceAllow=char-ttyUSB rw
    #SupplementaryGroups=dialout
    UMask=0077
    NoNewPrivileges=yes
    CapabilityBoundingSet=
    ProtectSystem=strict
    ProtectHome=%s
    PrivateTmp=yes
    PrivateDevices=yes
    ProtectClock=yes
    ProtectControlGroups=yes
    ProtectHostname=yes
    ProtectKernelLogs=yes
    ProtectKernelModules=yes
    ProtectKernelTunables=yes
    LockPersonality=yes
    RemoveIPC=yes
    RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
    RestrictNamespaces=yes
    RestrictRealtime=yes
    RestrictSUIDSGID=yes
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallErrorNumber=EPERM
    # Files that jobs write elsewhere:
    #ReadWritePaths=/srv/results

    [Install]
    WantedBy=multi-user.target
    """
        .formatted(
            documentation(launcher),
            directory,
            user,
            environment.isEmpty() ? start : start + "\n" + environment,
            directory,
            writable(directory),
            Stream.concat(Stream.of(launcher, directory), named())
                    .anyMatch(DeviceUnitCommand::isAtHome)
                ? "read-only"
                : "yes");
  }

  /** Directories that the unit's variables name; the Java that runs this may be another. */
  private Stream<Path> named() {
    return Stream.of("JAVA_HOME", "SEDGE_LIBRARY")
        .map(name -> surroundings.environment().getOrDefault(name, ""))
        .filter(value -> !value.isEmpty())
        .map(value -> surroundings.directory().resolve(value).normalize());
  }

  /** Of a project its pages, of what was installed the manual. */
  private static String documentation(Path launcher) {
    Path page = launcher.resolveSibling("docs/operations.md");
    return Files.exists(page) ? "file:" + page : "man:sedge(1)";
  }

  /** What the launcher goes by, a line each; a service has none of the user's environment. */
  private String environment() {
    Map<String, String> given = surroundings.environment();
    return Stream.of("JAVA_HOME", "SEDGE_LIBRARY", "SEDGE_HEAP", "JAVA_OPTS")
        .filter(name -> !given.getOrDefault(name, "").isEmpty())
        .map(name -> variable(name, given.getOrDefault(name, "")) + "\n")
        .collect(joining());
  }

  private static String variable(String name, String value) {
    return "Environment=" + word(name + "=" + value);
  }

  /** systemd makes directories below /var/lib, and gives them to the user. */
  private static String writable(Path directory) {
    return directory.startsWith(STATE) && !directory.equals(STATE)
        ? "StateDirectory=%s\nStateDirectoryMode=0700".formatted(STATE.relativize(directory))
        : "ReadWritePaths=" + directory;
  }

  private static boolean isAtHome(Path path) {
    return HOMES.stream().anyMatch(path::startsWith);
  }

  /** systemd's settings differ in what they unquote; none minds a path of these. */
  private static Path plain(Path path) throws SiteException {
    if (!path.toString().matches(PLAIN)) {
      throw new SiteException(
          FailureCode.USAGE,
          "'%s': in a unit, paths are of letters, digits and _ / . , : = @ + - alone; move it, or link to it"
              .formatted(path));
    }
    return path;
  }

  private static String commandWord(String text) {
    return word(text.replace("$", "$$"));
  }

  /** One word of a line that systemd splits at blanks. */
  private static String word(String text) {
    String safe = text.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%");
    return safe.matches(PLAIN) ? safe : "\"" + safe + "\"";
  }
}
