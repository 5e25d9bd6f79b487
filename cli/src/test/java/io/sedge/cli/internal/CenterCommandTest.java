package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.internal.api.TestCenter;
import io.sedge.center.internal.api.TestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands that ask a center, with one that runs. */
@Timeout(120)
class CenterCommandTest {
  @TempDir Path directory;
  private TestCenter center;

  @BeforeEach
  void start() throws Exception {
    center = new TestCenter(directory.resolve("c"), Duration.ofSeconds(2));
    TestTable.fill(center.store(), 4);
  }

  @AfterEach
  void stop() {
    center.close();
  }

  private CommandRunner run(int exitCode, String... arguments) {
    return run(exitCode, new CommandRunner(directory), arguments);
  }

  private CommandRunner run(int exitCode, CommandRunner runner, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "center";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--data";
    all[arguments.length + 2] = "c";
    assertThat(runner.run(all)).as(runner.err()).isEqualTo(exitCode);
    return runner;
  }

  @Test
  void labelsOfASiteAreWrittenAsTheyAreGiven() {
    assertThat(run(0, "site", "label", "north", "plant=hamburg", "line=3").err())
        .contains("labels of site north: line=3 plant=hamburg");
    assertThat(run(0, "site", "label", "north", "--remove", "line", "--remove", "plant").err())
        .contains("labels of site north: -");
  }

  @Test
  void peopleAreAddedByALinkAndRemoved() {
    String link = run(0, "person", "add", "anna k", "--role", "engineer").out().strip();
    assertThat(link).startsWith(center.address() + "/#/first?code=").endsWith("&name=anna%20k");
    assertThat(run(2, "person", "add", "anna k", "--role", "viewer").err())
        .contains("a person is called 'anna k'", "NAME_TAKEN");
    run(0, "person", "role", "anna k", "admin");
    assertThat(run(0, "person", "list").out())
        .containsPattern("anna k +admin +all +20.* no +password\n");
    assertThat(run(2, "person", "role", "anna k", "operator", "--site", "nowhere").err())
        .contains("no site is called 'nowhere'");
    assertThat(run(0, "person", "role", "anna k", "operator", "--site", "north").err())
        .contains("anna k has the role operator at north");
    assertThat(run(0, "person", "role", "anna k", "viewer").err()).contains("viewer at north");
    assertThat(run(0, "person", "role", "anna k", "admin", "--site", "*").err())
        .contains("admin at all sites");
    assertThat(run(0, "person", "reset", "anna k", "--output", "json").out())
        .contains("\"link\":\"https://")
        .doesNotContain(link);
    run(0, "person", "remove", "anna k");
    assertThat(run(2, "person", "remove", "anna k").err()).contains("nobody is called 'anna k'");
    assertThat(run(0, "person", "list").err()).contains("nobody may log in");
  }

  @Test
  void whatHasArrivedIsAskedAsTextCsvOrJson() {
    String sql = "SELECT machine, readings FROM machines WHERE readings < 9 ORDER BY _seq";
    assertThat(run(0, "query", sql).out())
        .isEqualTo("machine  readings\noven     1\npress    2\noven     3\npress    4\n");
    assertThat(run(0, "query", sql, "--output", "csv").out())
        .startsWith("machine,readings\noven,1\n");
    assertThat(run(0, "query", sql, "--output", "json").out())
        .startsWith("{\"machine\":\"oven\",\"readings\":1}\n");
    CommandRunner cut = new CommandRunner(directory).input(sql);
    assertThat(run(0, cut, "query", "-", "--limit", "2").err())
        .contains("these are the first 2 rows, a limit has cut the rest off");
    assertThat(run(2, "query", "DELETE FROM machines").err()).contains("(USER USAGE)");
    assertThat(run(2, "query", "SELECT * FROM nothing").err()).contains("nothing");
  }

  @Test
  void sitesTablesAndAccessAreShownAndChanged() {
    assertThat(run(0, "status").out())
        .contains("sites report to 127.0.0.1:7440", "1 site, 1 table", "5 rows in 1 commit;");
    assertThat(run(0, "site", "list").out()).contains("north  active");
    run(0, "site", "label", "north", "plant=hamburg", "line=3");
    run(0, "site", "label", "north", "--remove", "line");
    assertThat(run(0, "site", "show", "north").out())
        .contains("labels: plant=hamburg\n")
        .contains("plant/press  machines  machines");
    assertThat(run(0, "site", "accept", "north").err()).contains("generation 1");
    assertThat(run(0, "table", "keep", "machines", "90d", "--by", "window_end").out())
        .isEqualTo("table machines keeps its rows 90d by window_end\n");
    assertThat(run(0, "table", "list").out()).contains("90d by window_end  north");
    assertThat(run(0, "table", "keep", "machines", "forever").out()).contains("forever");
    assertThat(run(0, "site", "revoke", "north", "--output", "json").out())
        .contains("\"site\":\"north\"");
    assertThat(run(0, "audit").out())
        .contains("local (127.0.0.1)  site revoke", "table keep   machines");
    assertThat(run(2, "site", "show", "south").err())
        .contains("no site is called 'south' (USER UNKNOWN_NAME)");
  }

  @Test
  void aTokenOfOnesOwnAsksFromAnywhere() throws Exception {
    Files.writeString(
        directory.resolve("token"), run(0, "access", "add", "anna", "--role", "viewer").out());
    String[] at = {"--at", center.address().toString(), "--ca", "c/authority/certificate.pem"};
    CommandRunner list = new CommandRunner(directory);
    assertThat(
            list.run("center", "site", "list", "--token-file", "token", at[0], at[1], at[2], at[3]))
        .as(list.err())
        .isZero();
    CommandRunner refused = new CommandRunner(directory);
    assertThat(
            refused.run(
                "center", "backup", "x", "--token-file", "token", at[0], at[1], at[2], at[3]))
        .isEqualTo(2);
    assertThat(refused.err()).contains("'anna' has the role viewer, and this needs admin");
    assertThat(run(0, "access", "role", "anna", "operator").err())
        .contains("anna has the role operator at all sites");
    assertThat(run(0, "access", "list").out()).containsPattern("anna +operator +all ");
    assertThat(run(2, "access", "role", "anna", "admin", "--site", "west").err())
        .contains("no site is called 'west'");
    CommandRunner untrusted = new CommandRunner(directory);
    assertThat(untrusted.run("center", "status", "--token-file", "token", at[0], at[1]))
        .isEqualTo(3);
    assertThat(untrusted.err()).contains("is not trusted").contains("--ca");
    run(0, "access", "remove", "anna");
    assertThat(run(0, "access", "list").out()).contains("local").doesNotContain("anna");
  }

  @Test
  void aSitesTokenIsWhatToTypeThere() {
    CommandRunner token = run(0, "token", "--site", "south");
    assertThat(token.out()).matches("sedge site report --to 127.0.0.1:7440 --token sedge-\\S+\n");
    assertThat(token.err()).contains("type this on a device of the site");
    assertThat(run(2, "token", "--valid-for", "8d").err()).contains("7 days");
  }

  @Test
  void aBackupIsRestoredElsewhere() {
    String file = run(0, "backup", "b.db").out().strip();
    assertThat(run(2, "backup", "b.db").err()).contains("is there already");
    CommandRunner restore = new CommandRunner(directory);
    assertThat(restore.run("center", "restore", file, "--data", "d")).as(restore.err()).isZero();
    assertThat(directory.resolve("d/results")).isDirectory();
    CommandRunner again = new CommandRunner(directory);
    assertThat(again.run("center", "restore", file, "--data", "d")).isEqualTo(2);
  }

  /** Whoever finds a center's directory takes it for a center. */
  @Test
  void aRestorationThatFailsLeavesNothingBehind() throws Exception {
    Files.writeString(directory.resolve("broken.db"), "no database at all".repeat(1000));
    for (String file : List.of("broken.db", "absent.db")) {
      CommandRunner restore = new CommandRunner(directory);
      assertThat(restore.run("center", "restore", file, "--data", "x/d")).isEqualTo(2);
      assertThat(directory.resolve("x")).doesNotExist();
    }
  }

  @Test
  void whereNoCenterRunsItIsSaidHowToStartOne() {
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("center", "status", "--data", "absent")).isEqualTo(3);
    assertThat(runner.err()).contains("no center runs in").contains("sedge center start --data");
  }
}
