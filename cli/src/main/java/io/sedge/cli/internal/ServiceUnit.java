package io.sedge.cli.internal;

import static java.util.stream.Collectors.joining;

import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The unit with which systemd starts a device or a center of this installation, and bounds what it
 * may do. One is made for one answer.
 */
final class ServiceUnit {
  private static final Path STATE = Path.of("/var/lib");
  private static final List<Path> HOMES =
      List.of(Path.of("/home"), Path.of("/root"), Path.of("/run/user"));

  private static final String PLAIN = "[A-Za-z0-9_/.,:=@+-]+";

  /**
   * What differs between a device and a center.
   *
   * @param command of `sedge`, and what it is called in the unit
   * @param name of the unit
   * @param optionsVariable what has more options in a file of variables
   * @param service further settings of the service and remarks on them, a line each
   * @param permissions what is remarked on what it may do, a line each
   */
  private record Kind(
      String command, String name, String optionsVariable, String service, String permissions) {}

  private static final Kind DEVICE =
      new Kind(
          "device",
          "sedge",
          "DEVICE_OPTIONS",
          """
          # Tasks end with a last commit within 12 s.
          TimeoutStopSec=30s
          TimeoutStartSec=5min
          # Told three times a minute that the device works; else it is started anew.
          WatchdogSec=60s

          # Hard limits, above what --cpu and --memory say; network and ledger are within them too.
          #CPUQuota=100%
          #MemoryMax=512M
          """,
          """
          # What it may do. No MemoryDenyWriteExecute: Java compiles as it runs. No ProcSubset: the
          # connector `host` reads /proc.
          #
          # Serial lines and GPUs are hidden by PrivateDevices, and ProtectClock refuses devices that are
          # not named. For /dev/ttyUSB0 (a job with modbus-rtu:///dev/ttyUSB0) these three are needed:
          #PrivateDevices=no
          #DeviceAllow=char-ttyUSB rw
          #SupplementaryGroups=dialout
          # Files that jobs write elsewhere:
          #ReadWritePaths=/srv/results
          """);

  private static final Kind CENTER =
      new Kind(
          "center",
          "sedge-center",
          "CENTER_OPTIONS",
          """
          # Rows that are under way are stored or come again.
          TimeoutStopSec=30s
          # A new version may have to change the database.
          TimeoutStartSec=15min

          # Hard limits. The heap is 256 MB unless SEDGE_HEAP says otherwise, the process twice that.
          #CPUQuota=100%
          #MemoryMax=768M
          """,
          """
          # What it may do. No MemoryDenyWriteExecute: Java compiles as it runs.
          """);

  private final Surroundings surroundings;
  private final Kind kind;

  private ServiceUnit(Surroundings surroundings, Kind kind) {
    this.surroundings = surroundings;
    this.kind = kind;
  }

  static ServiceUnit ofDevice(Surroundings surroundings) {
    return new ServiceUnit(surroundings, DEVICE);
  }

  static ServiceUnit ofCenter(Surroundings surroundings) {
    return new ServiceUnit(surroundings, CENTER);
  }

  /**
   * The unit's text.
   *
   * @param data the data directory
   * @param user whom it runs as
   * @param optionsFile variables, with more options among them; null for none
   * @param options of `device start` or `center start`
   * @throws SiteException if no unit can start that
   */
  String text(Path data, String user, @Nullable Path optionsFile, List<String> options)
      throws SiteException {
    String launcher = surroundings.environment().getOrDefault("SEDGE_LAUNCHER", "");
    if (launcher.isEmpty()) {
      throw new SiteException(
          FailureCode.USAGE,
          "a unit starts what was installed: run this with the launcher, `./sedge %s unit`"
              .formatted(kind.command()));
    }
    checkUser(user);
    Path directory = plain(surroundings.directory().resolve(data).normalize());
    List<String> command =
        Stream.concat(
                Stream.of(launcher, kind.command(), "start", "--data", directory.toString()),
                options.stream())
            .toList();
    // A mistake is better said now than in the journal after a reboot.
    String[] words = command.subList(1, command.size()).toArray(String[]::new);
    var _ = SedgeCommand.commandLine(surroundings, words).parseArgs(words);
    String start = command.stream().map(ServiceUnit::commandWord).collect(joining(" "));
    String environment = environment();
    if (optionsFile != null) {
      start += " $" + kind.optionsVariable();
      environment += "EnvironmentFile=-" + plain(surroundings.directory().resolve(optionsFile));
    }
    return unit(start, user, environment.strip(), directory, plain(Path.of(launcher)));
  }

  private static void checkUser(String user) throws SiteException {
    if (!user.matches("[a-z_][a-z0-9_-]{0,30}")) {
      throw new SiteException(FailureCode.USAGE, "--user=%s is no name of a user".formatted(user));
    }
  }

  private String unit(
      String start, String user, String environment, Path directory, Path launcher) {
    return """
    # A Sedge %s, by `sedge %s unit`. What differs on this machine: systemctl edit %s

    [Unit]
    Description=Sedge %s
    Documentation=%s
    # It needs no network to begin; an address that is not there yet is tried again.
    After=network.target
    RequiresMountsFor=%s
    # Never given up: it stands where people seldom look.
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
    %sLimitNOFILE=16384

    %sUMask=0077
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

    [Install]
    WantedBy=multi-user.target
    """
        .formatted(
            kind.command(),
            kind.command(),
            kind.name(),
            kind.command(),
            documentation(launcher),
            directory,
            user,
            environment.isEmpty() ? start : start + "\n" + environment,
            directory,
            writable(directory),
            kind.service(),
            kind.permissions(),
            Stream.concat(Stream.of(launcher, directory), named()).anyMatch(ServiceUnit::isAtHome)
                ? "read-only"
                : "yes");
  }

  /** Directories that the unit's variables name; the Java that runs this may be another. */
  private Stream<Path> named() {
    return Stream.of("JAVA_HOME", "SEDGE_LIBRARY", "SEDGE_TENSORFLOW")
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
    return Stream.of("JAVA_HOME", "SEDGE_LIBRARY", "SEDGE_TENSORFLOW", "SEDGE_HEAP", "JAVA_OPTS")
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
