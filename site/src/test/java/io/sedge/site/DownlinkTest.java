package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmState;
import io.sedge.connector.alarm.AlarmConnector;
import io.sedge.ledger.Allowance;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.testkit.Devices;
import io.sedge.site.testkit.OrderingCenter;
import io.sedge.task.testkit.FakeConnector;
import io.sedge.uplink.AlarmOrder;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.TableCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device that leads its site asks a center for orders, over TLS, and does what it may. */
@Timeout(600)
class DownlinkTest {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake');
      CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO kept SELECT n FROM numbers;
      """;

  @TempDir Path root;
  private final FakeConnector tables = new FakeConnector();
  private Devices devices;
  private OrderingCenter center;

  @BeforeEach
  void site() throws Exception {
    tables.available = 0; // What is written are commands.
    devices = new Devices(root).with(tables);
    center = new OrderingCenter(root.resolve("center"));
  }

  @AfterEach
  void close() {
    devices.close();
    center.close();
  }

  private static TableCommand command(int n) {
    return new TableCommand("plant", "kept", Map.of("n", Integer.toString(n)));
  }

  private void until(UUID order, OrderState state) throws Exception {
    devices.until(order + " is " + state, () -> center.states(order).contains(state));
  }

  private static boolean isRunning(Device device) throws Exception {
    JobStatus job = device.control().jobs().getFirst();
    return job.tasks() > 0 && job.runningTasks() == job.tasks();
  }

  private Device reporting() throws Exception {
    Device device = devices.start("a");
    device.control().setSecret(SiteCredential.SECRET, center.credential());
    device.control().submit("plant", SCRIPT);
    devices.until("the job runs", () -> isRunning(device));
    return device;
  }

  @Test
  void aCommandIsWrittenOnceThoughAnswersAreLostAndTheDeviceIsStartedAnew() throws Exception {
    Device device = reporting();
    UUID early = center.give(command(1), LONG);
    until(early, OrderState.REFUSED);
    UUID unknown = center.give("reboot", new byte[] {1, 2}, LONG);
    until(unknown, OrderState.REFUSED);
    device
        .control()
        .allowTable(
            new Allowance("plant", "kept", List.of(new Allowance.Column("n", "0", "100")), 0, 0));
    UUID tooMuch = center.give(command(101), LONG);
    until(tooMuch, OrderState.REFUSED);
    assertThat(tables.written).hasValue(0);
    center.loseAnswers(3);
    UUID order = center.give(command(7), LONG);
    until(order, OrderState.WRITTEN);
    assertThat(tables.written).hasValue(1);

    devices.close(device);
    assertThat(center.takeLastPoll()).isPresent();
    Device again = devices.start("a");
    UUID next = center.give(command(8), LONG);
    until(next, OrderState.WRITTEN);
    assertThat(tables.written).hasValue(2);
    assertThat(center.states(order)).doesNotContain(OrderState.FAILED, OrderState.EXPIRED);

    again.control().disallowTable("plant", "kept");
    until(center.give(command(9), LONG), OrderState.REFUSED);
    assertThat(tables.written).hasValue(2);
  }

  /** The sink takes nothing for longer than the command lives. */
  @Test
  void aCommandThatCannotBeWrittenInTimeIsNeverWritten() throws Exception {
    Device device = reporting();
    device.control().allowTable(new Allowance("plant", "kept", List.of(), 0, 0));
    tables.sinkFull = true;
    UUID late = center.give(command(1), Duration.ofSeconds(3));
    until(late, OrderState.EXPIRED);
    tables.sinkFull = false;
    UUID order = center.give(command(2), LONG);
    until(order, OrderState.WRITTEN);
    assertThat(tables.written).hasValue(1);
    assertThat(center.states(late)).doesNotContain(OrderState.WRITTEN);
  }

  private UUID deploy(String script) {
    return center.give(new JobOrder(JobOrder.Action.DEPLOY, "given", 1, script), LONG);
  }

  /** A center that was put back gives a number to two scripts. */
  @Test
  void aVersionThatHasAnotherScriptIsNotTheSame() throws Exception {
    Device device = reporting();
    device.control().allowJobs(true);
    until(deploy(SCRIPT), OrderState.DONE);
    until(deploy(SCRIPT), OrderState.DONE);
    assertThat(given(device).version()).isEqualTo(1);
    devices.until("it has tasks", () -> given(device).tasks() > 0);
    String other = SCRIPT.replace("SELECT n FROM", "SELECT n + 1 FROM");
    UUID second = deploy(other);
    until(second, OrderState.DONE);
    assertThat(given(device).version()).isEqualTo(2);
    JobReplacement shown = device.control().replacement("given", SCRIPT);
    assertThatThrownBy(() -> device.control().replace("given", SCRIPT, shown))
        .hasMessageContaining("job given is the center's");
  }

  private static JobStatus given(Device device) throws Exception {
    return device.control().jobs().stream()
        .filter(job -> job.name().equals("given"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theCenterIsToldHowTheSiteIs() throws Exception {
    Device device = reporting();
    devices.until("there was a question", () -> center.takeLastPoll().isPresent());
    device.control().pause("plant");
    devices.until("the job is paused", () -> jobs().stream().anyMatch("PAUSED"::equals));
  }

  private List<String> jobs() {
    Optional<SiteCondition> condition = center.takeLastPoll().flatMap(OrderPoll::condition);
    condition.ifPresent(
        told -> {
          assertThat(told.leader()).isEqualTo("a");
          assertThat(told.devices())
              .singleElement()
              .satisfies(
                  device -> {
                    assertThat(device.name()).isEqualTo("a");
                    assertThat(device.alive()).isTrue();
                    assertThat(device.version()).isNotEmpty();
                    assertThat(device.diskFreeBytes()).isLessThan(device.diskBytes());
                  });
        });
    return condition.stream()
        .flatMap(told -> told.jobs().stream())
        .map(SiteCondition.OfJob::state)
        .toList();
  }

  private void untilAlarms(String what, Predicate<List<Alarm>> wanted) throws Exception {
    devices.until("the center has " + what, () -> wanted.test(center.alarms()));
  }

  @Test
  void theCenterIsToldOfAlarmsAlsoByTheNextProcessAndActsOnThem() throws Exception {
    devices.with(tables, new AlarmConnector());
    Device device = devices.start("a");
    device
        .control()
        .submit(
            "plant",
            """
            CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake');
            CREATE TABLE hot (n BIGINT, PRIMARY KEY (n) NOT ENFORCED)
            WITH ('connector' = 'alarm', 'priority' = 'high');
            INSERT INTO hot SELECT n FROM numbers;
            """);
    center.loseAnswers(2);
    device.control().setSecret(SiteCredential.SECRET, center.credential());
    tables.available = 3;
    untilAlarms("three alarms", alarms -> alarms.size() == 3);
    Alarm first = center.alarms().getLast();
    AlarmOrder order =
        new AlarmOrder(
            AlarmEvent.SHELVE,
            List.of(new AlarmAction.Target(first.id(), first.raised())),
            Duration.ofHours(8),
            "being repaired");
    until(center.give(order, LONG), OrderState.REFUSED);
    device.control().allowAlarms(true);
    until(center.give(order, LONG), OrderState.DONE);
    untilAlarms(
        "one that is shelved",
        alarms ->
            alarms.stream()
                .filter(alarm -> alarm.state() == AlarmState.SHELVED)
                .map(alarm -> alarm.id() + " by " + alarm.by())
                .toList()
                .equals(List.of(first.id() + " by anna at the center")));
    devices.close(device);
    tables.available = 5;
    devices.start("a");
    untilAlarms("five alarms", alarms -> alarms.size() == 5);
  }

  @Test
  void whatIsAllowedIsOfATableThatTheJobHas() throws Exception {
    Device device = reporting();
    assertThatThrownBy(
            () -> device.control().allowTable(new Allowance("plant", "other", List.of(), 0, 0)))
        .hasMessage("job plant writes to no table called other; it writes to kept");
    assertThatThrownBy(
            () ->
                device
                    .control()
                    .allowTable(
                        new Allowance(
                            "plant", "kept", List.of(new Allowance.Column("m", "", "")), 0, 0)))
        .hasMessage("table plant.kept has no column m; it has n");
    assertThatThrownBy(
            () ->
                device
                    .control()
                    .allowTable(
                        new Allowance(
                            "plant", "kept", List.of(new Allowance.Column("n", "x", "")), 0, 0)))
        .hasMessage("column n: the bound 'x' is no number");
    assertThatThrownBy(
            () ->
                device
                    .control()
                    .allowTable(
                        new Allowance(
                            "plant",
                            "kept",
                            List.of(new Allowance.Column("n", "10", "9.5")),
                            0,
                            0)))
        .hasMessage("column n: the least value 10 is above the greatest, 9.5");
    assertThatThrownBy(() -> device.control().disallowTable("plant", "kept"))
        .hasMessage("plant.kept is not allowed; there are: []");
    Allowance allowance =
        new Allowance("plant", "kept", List.of(new Allowance.Column("n", "0", "")), 10, 60_000);
    device.control().allowTable(allowance);
    assertThat(device.control().allowedTables()).containsExactly(allowance);
  }
}
