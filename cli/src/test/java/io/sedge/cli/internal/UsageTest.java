package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What people read who ask for help or mistype. */
class UsageTest {
  private static final Path HELP = Path.of("src", "test", "resources", "help");

  @TempDir Path directory;

  /**
   * The texts are in {@code src/test/resources/help}; a run with {@code -Dsedge.golden=write}
   * writes them anew, to be read in the diff.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "run",
        "check",
        "explain",
        "new",
        "connect",
        "connect browse",
        "connect test",
        "simulate",
        "simulate plant",
        "simulate line",
        "simulate farm",
        "simulate building",
        "broker",
        "device",
        "device start",
        "device join",
        "device token",
        "device console",
        "device drain",
        "device undrain",
        "device allow",
        "device disallow",
        "device remove",
        "device expel",
        "device authority",
        "device address",
        "device status",
        "device unit",
        "device bundle",
        "job",
        "job submit",
        "job list",
        "job wait",
        "job explain",
        "job pause",
        "job resume",
        "job stop",
        "job remove",
        "job logs",
        "job left-out",
        "alarm",
        "alarm list",
        "alarm show",
        "alarm acknowledge",
        "alarm shelve",
        "alarm unshelve",
        "model",
        "model list",
        "model show",
        "model train",
        "model shadow",
        "model promote",
        "model rollback",
        "model export",
        "flink",
        "flink submit",
        "doctor",
        "secret",
        "secret set",
        "secret list",
        "secret remove",
        "site",
        "site status",
        "site watch",
        "site why",
        "site what-if",
        "site limits",
        "site allow",
        "site report",
        "center",
        "center start",
        "center unit",
        "center status",
        "center query",
        "center token",
        "center site",
        "center site list",
        "center site log",
        "center site show",
        "center site bundle",
        "center site label",
        "center site accept",
        "center site revoke",
        "center alarm",
        "center alarm list",
        "center alarm acknowledge",
        "center alarm shelve",
        "center alarm unshelve",
        "center command",
        "center command send",
        "center command list",
        "center command show",
        "center command cancel",
        "center table",
        "center table list",
        "center table keep",
        "center person",
        "center person list",
        "center person add",
        "center person role",
        "center person reset",
        "center person remove",
        "center access",
        "center access list",
        "center access add",
        "center access role",
        "center access remove",
        "center audit",
        "center backup",
        "center restore",
        "completion"
      })
  void theHelpOfACommandIsAsReviewed(String command) throws IOException {
    CommandRunner runner = new CommandRunner(directory);
    String[] arguments = (command + " --help").strip().split(" ");
    assertThat(runner.run(arguments)).isZero();
    assertThat(runner.err()).isEmpty();
    Path golden = HELP.resolve(("sedge " + command).strip().replace(' ', '-') + ".txt");
    if (System.getProperty("sedge.golden", "").equals("write")) {
      Files.createDirectories(HELP);
      Files.writeString(golden, runner.out());
    }
    assertThat(runner.out()).isEqualTo(Files.readString(golden));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rn x.sql             | `sedge` has no command `rn`; did you mean `run`? (USER USAGE)
          rn --help            | `sedge` has no command `rn`; did you mean `run`? (USER USAGE)
          run - --set foo.bar=1 | --set: the setting 'foo.bar' is unknown; write one of execution.runtime-mode, pipeline.name, sedge.allowed-lateness, sedge.commit-interval, sedge.labels, sedge.late-table, sedge.merge, sedge.merge.wait, sedge.on-row-failure, table.exec.source.idle-timeout, table.exec.state.ttl, table.local-time-zone (USER USAGE)
          run - --set table.local-time-zon=UTC | --set: the setting 'table.local-time-zon' is unknown; did you mean 'table.local-time-zone'? (USER USAGE)
          check - --set table.local-time-zone=Europe/Berlinn | --set: 'table.local-time-zone' = 'Europe/Berlinn' is not a time zone such as UTC or Europe/Berlin (USER USAGE)
          run - --var BROKER=x | --var BROKER: - has no variable of that name; it has none (USER USAGE)
          run                  | `sedge run` needs FILE (USER USAGE)
          run x --duraton 5s   | `sedge run` has no option `--duraton`; did you mean `--duration`? (USER USAGE)
          run a.sql b.sql      | `sedge run` has no argument `b.sql` (USER USAGE)
          run x --duration 5   | --duration=5: write a time as a number above 0 and a unit: 500ms, 60s, 10min, 2h (USER USAGE)
          run x --output xml   | --output=xml is not one of auto, table, plain, json (USER USAGE)
          run x --output json --output plain | --output is given twice (USER USAGE)
          broker --port x      | --port=x is not a whole number (USER USAGE)
          broker --port 70000  | port 70000 is not in 0 to 65535 (USER USAGE)
          broker --user plant  | --user needs a password in the environment variable SEDGE_BROKER_PASSWORD, which is not set (USER USAGE)
          device join 127.0.0.1:1 --data d | `sedge device join` needs a token, which `sedge device token` makes: give --token-file FILE, --token - with the token on standard input, or $SEDGE_TOKEN (USER USAGE)
          device join 127.0.0.1:1 --data d --token x --token-file y | --token and --token-file are two tokens; give one of them (USER USAGE)
          device join 127.0.0.1:1 --data d --token-file absent | --token-file=absent cannot be read: there is no such file (USER FILE_NOT_READABLE)
          device start --data /proc/x | the data directory /proc/x cannot be used: /proc/x cannot be made; name another one with --data, or make it writable (USER DIRECTORY_NOT_USABLE)
          device start --memory 5 | --memory=5: write a size as a number and a unit: 256m, 1g (USER USAGE)
          device start --memory 5m --listen 127.0.0.1:7410 | memory=5242880 bytes is less than the 64 MiB that a device needs (USER USAGE)
          device start --name -x --listen 127.0.0.1:7410 | a device cannot be called '-x': letters, digits, dots, dashes and underscores are allowed, 63 at most, a letter or digit first (USER USAGE)
          device start --listen nowhere:99999 | --listen=nowhere:99999: the port is not from 1 to 65534 (the next one is for newcomers) (USER USAGE)
          device start --metrics 0.0.0.0:9464 --listen 127.0.0.1:7410 | --metrics=0.0.0.0:9464: 0.0.0.0 is not loopback: this is plain HTTP, for programs on this machine alone. Write 127.0.0.1:9464, and for readers elsewhere put a reverse proxy with TLS before it, or let an agent on this machine fetch it (USER USAGE)
          device start --metrics 9464 --listen 127.0.0.1:7410 | --metrics=9464: write HOST:PORT, for example 127.0.0.1:9464 or [::1]:9464 (USER USAGE)
          device start --label zone --listen 127.0.0.1:7410 | --label=zone: write KEY=VALUE, for example zone=north; --label=off, alone, for no label (USER USAGE)
          device start --label sedge.key=1 --listen 127.0.0.1:7410 | label sedge.key: names that begin with sedge. are Sedge's own (USER USAGE)
          device join 127.0.0.1:1 --token x --listen 127.0.0.1:7410 --data d | that is no token: one begins with sedge-; `sedge device token` makes one for a device, `sedge center token` one for a site (USER USAGE)
          device unit | a unit starts what was installed: run this with the launcher, `./sedge device unit` (USER USAGE)
          center unit | a unit starts what was installed: run this with the launcher, `./sedge center unit` (USER USAGE)
          site limits --devices x | --devices=x is not a whole number (USER USAGE)
          site limits --silence 2 | --silence=2: write a time as a number above 0 and a unit: 500ms, 60s, 10min, 2h (USER USAGE)
          site limits --state 5   | --state=5: write a size as a number and a unit: 256m, 1g (USER USAGE)
          site limits --silence 100ms | --silence=100ms: from 500ms to 60s are allowed (USER USAGE)
          site limits --script 2m | --script=2m: from 1 bytes to 512k are allowed (USER USAGE)
          site limits --devices 0 | --devices=0: from 1 to 200 are allowed (USER USAGE)
          site limits --jobs 1 --jobs 2 | --jobs is given twice (USER USAGE)
          center query x --at https://h:1 | --at needs a token, which `sedge center access add` makes: give --token-file FILE or $SEDGE_CENTER_TOKEN (USER USAGE)
          center status --ca x | --token-file and --ca belong to --at URL, which is not given (USER USAGE)
          center access add x --role root | --role=root is not one of viewer, operator, engineer, admin (USER USAGE)
          center query x --output xml | --output=xml is not one of text, csv, json (USER USAGE)
          job submit           | `sedge job submit` needs FILE (USER USAGE)
          train --generate 10  | training is a program of its own, which the project's script starts: ./sedge train --generate 10 (USER USAGE)
          completion fish      | SHELL=fish is not one of bash, zsh (USER USAGE)
          run absent.sql       | there is no file absent.sql (USER FILE_NOT_READABLE)
          run .                | . is a directory, not a script (USER FILE_NOT_READABLE)
          """)
  void aMistakeIsOneMessageThatSaysWhatToDo(String commandLine, String message) {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run(commandLine.split(" "))).isEqualTo(2);
    assertThat(runner.err()).contains("sedge: error: " + message + System.lineSeparator());
    assertThat(runner.err()).doesNotContain("\tat ");
    assertThat(runner.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          center frob         | `sedge center` has no command `frob`; it has
          frobnicate          | `sedge` has no command `frobnicate`; it has run, check,
          job status          | `sedge job` has no command `status`; it has submit, list,
          device frob --help  | `sedge device` has no command `frob`; it has start, join,
          """)
  void aCommandThatIsLikeNoneIsAnsweredWithAll(String commandLine, String begin) {
    CommandRunner runner = run(new CommandRunner(directory), commandLine);
    assertThat(runner.err()).contains("sedge: error: " + begin).doesNotContain("rehearse");
    assertThat(runner.out()).isEmpty();
  }

  /** On the command line every user of the machine sees it. */
  @Test
  void aTokenIsReadFromAFileStandardInputOrTheEnvironment() throws IOException {
    String cut = "the token is not complete, or was changed when it was copied";
    String join = "device join 127.0.0.1:1 --listen 127.0.0.1:7410 --data d";
    Files.writeString(directory.resolve("token"), "sedge-file\n");
    for (CommandRunner runner :
        List.of(
            run(new CommandRunner(directory), join + " --token-file token"),
            run(new CommandRunner(directory).input("sedge-input\n"), join + " --token -"),
            run(
                new CommandRunner(directory).environment("SEDGE_TOKEN", "sedge-environment"),
                join))) {
      assertThat(runner.err()).contains(cut);
    }
  }

  private static CommandRunner run(CommandRunner runner, String commandLine) {
    assertThat(runner.run(commandLine.split(" "))).as(runner.err()).isEqualTo(2);
    return runner;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "device token",
        "device drain x",
        "job list",
        "job logs",
        "job left-out x",
        "site status",
        "site watch",
        "site why x",
        "site what-if --lose x",
        "site limits",
        "site limits --silence 2s"
      })
  void whereNoDeviceRunsItIsSaidHowToStartOne(String commandLine) {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run((commandLine + " --data absent").split(" "))).isEqualTo(3);
    assertThat(runner.err())
        .contains("no device runs in " + directory.resolve("absent"))
        .contains("sedge device start --data ")
        .contains("(EXTERNAL DEVICE_NOT_RUNNING)");
  }

  @Test
  void aMissingInputHasACodeOfItsOwn() throws IOException {
    Files.writeString(
        directory.resolve("job.sql"),
        """
        CREATE TABLE m (a INT)
        WITH ('connector' = 'filesystem', 'path' = '${INPUT}', 'format' = 'csv');
        SET 'execution.runtime-mode' = 'batch';
        SELECT * FROM m;
        """);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("run", "job.sql", "--var", "INPUT=absent.csv")).isEqualTo(3);
    assertThat(runner.err())
        .contains(
            "table m: 'path' = '%s' does not exist (EXTERNAL FILE_FAILED)"
                .formatted(directory.resolve("absent.csv")));
  }

  @Test
  void aVariableWithoutAValueIsAProblemOfTheScript() throws IOException {
    Files.writeString(directory.resolve("job.sql"), "SELECT\n  '${INPUT}';\n");
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("check", "job.sql")).isEqualTo(2);
    assertThat(runner.err()).startsWith("job.sql:2:4: the variable INPUT has no value\n");
    CommandRunner json = new CommandRunner(directory);
    assertThat(json.run("check", "job.sql", "--json")).isEqualTo(2);
    assertThat(json.out()).contains("\"line\":2,\"column\":4");
    CommandRunner mistyped = new CommandRunner(directory).environment("INPUT", "x");
    assertThat(mistyped.run("check", "job.sql", "--var", "INPT=y")).isEqualTo(2);
    assertThat(mistyped.err()).contains("--var INPT: job.sql has no variable of that name; did");
  }

  @Test
  void aCommandLineMakesTheCommandThatItNames() {
    Surroundings surroundings = new CommandRunner(directory).surroundings();

    assertThat(SedgeCommand.commandLine(surroundings, "run", "plant.sql").getSubcommands())
        .containsOnlyKeys("run");
    CommandLine device = SedgeCommand.commandLine(surroundings, "device", "start", "--data", "a");
    assertThat(device.getSubcommands()).containsOnlyKeys("device");
    assertThat(device.getSubcommands().get("device").getSubcommands()).containsOnlyKeys("start");
  }

  @Test
  void commandsAreFoundByTheNamesThatTheirHelpShows() {
    assertNamed(SedgeCommand.commandLine(new CommandRunner(directory).surroundings()));
  }

  private static void assertNamed(CommandLine command) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              assertThat(sub.getCommandName()).isEqualTo(name);
              assertNamed(sub);
            });
  }

  @Test
  void withoutACommandTheHelpGoesToStandardError() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run()).isEqualTo(2);
    assertThat(runner.err()).contains("Commands:").contains("run");
    assertThat(runner.out()).isEmpty();
  }

  @Test
  void theVersionNamesSedgeAndJava() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("--version")).isZero();
    assertThat(runner.out().lines()).hasSize(2);
    assertThat(runner.out()).startsWith("sedge ").contains("Java " + Runtime.version().feature());
  }

  /** It ended for want of memory. */
  @Test
  void aFileThatIsTooLargeForAScriptIsRefused() throws Exception {
    Files.write(directory.resolve("large.sql"), new byte[(1 << 20) + 1]);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("check", "large.sql")).isEqualTo(2);
    assertThat(runner.err()).contains("large.sql is larger than 1,048,576 bytes");
  }

  @Test
  void tracesAreShownToThoseWhoAsk() {
    CommandRunner runner = new CommandRunner(directory);
    runner.run("run", "absent.sql", "--debug");
    assertThat(runner.err()).contains("\tat ");
    CommandRunner byEnvironment = new CommandRunner(directory).environment("SEDGE_DEBUG", "1");
    byEnvironment.run("run", "absent.sql");
    assertThat(byEnvironment.err()).contains("\tat ");
  }

  @Test
  void completionKnowsCommandsAndOptions() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("completion", "bash")).isZero();
    assertThat(runner.out()).contains("explain").contains("--duration").contains("complete -F");
    CommandRunner zsh = new CommandRunner(directory);
    zsh.run("completion", "zsh");
    assertThat(zsh.out()).startsWith("autoload").contains("--duration");
  }

  /** man(7): lines that begin with a dot are requests, and backslashes begin escapes. */
  @Test
  void theManualHasTheHelpOfAllCommandsThatAreShown() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("manual")).isZero();
    assertThat(runner.out())
        .startsWith(".TH SEDGE 1 ")
        .contains("\n.SH \"sedge device unit\"\n.nf\n")
        .contains("\\-\\-duration")
        .doesNotContain("rehearse");
    assertThat(runner.out().lines().filter(line -> line.startsWith(".")))
        .allMatch(line -> line.matches("[.](TH|SH|nf|fi)( .*)?"));
  }

  @Test
  void coloursAreForTerminalsThatWantThem() {
    CommandRunner pipe = new CommandRunner(directory);
    pipe.run("nonsense");
    assertThat(pipe.err()).doesNotContain("\u001b");
    CommandRunner terminal = new CommandRunner(directory).inTerminal();
    terminal.run("nonsense");
    assertThat(terminal.err()).contains("\u001b[31m");
    CommandRunner refused = new CommandRunner(directory).inTerminal().environment("NO_COLOR", "1");
    refused.run("nonsense");
    assertThat(refused.err()).doesNotContain("\u001b");
  }
}
