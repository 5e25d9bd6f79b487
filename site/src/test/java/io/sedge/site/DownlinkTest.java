package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmState;
import io.sedge.connector.alarm.AlarmConnector;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.testkit.Bundles;
import io.sedge.site.testkit.Devices;
import io.sedge.site.testkit.OrderingCenter;
import io.sedge.task.testkit.FakeConnector;
import io.sedge.uplink.AlarmOrder;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.Question;
import io.sedge.uplink.QuestionAnswer;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.SiteLog;
import io.sedge.uplink.TableCommand;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
    device.control().allowCenter(CenterRight.JOBS, true);
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
    device.control().allowCenter(CenterRight.ALARMS, true);
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

  private QuestionAnswer answer(String kind, String device) throws Exception {
    UUID question = center.ask(kind, device);
    devices.until(
        "the %s of '%s' is answered".formatted(kind, device),
        () -> center.answer(question).isPresent());
    return center.answer(question).orElseThrow();
  }

  /** The device that leads asks the others; the owner must let it. */
  @Test
  void theCenterHearsWhatDevicesHaveSaidAndGetsBundlesOfThem() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    a.control().setSecret(SiteCredential.SECRET, center.credential());
    assertThat(answer(Question.LOG, "").refusal()).contains("`sedge site allow --diagnosis`");
    assertThat(answer(Question.BUNDLE, "b").refusal()).contains("`sedge site allow --diagnosis`");
    a.control().allowCenter(CenterRight.DIAGNOSIS, true);
    devices.until("b knows it", () -> b.control().centerRights().contains(CenterRight.DIAGNOSIS));
    a.control().submit("plant", SCRIPT.replace("'fake'", "'fake', 'password' = 'hunter2hunter2'"));
    devices.until("the job runs", () -> isRunning(a));

    devices.until(
        "the lines of all are heard",
        () -> {
          SiteLog log = SiteLog.read(answer(Question.LOG, "").body());
          return log.unavailable().isEmpty()
              && log.lines().stream()
                  .map(SiteLog.Line::device)
                  .collect(Collectors.toSet())
                  .equals(Set.of("a", "b", "c"))
              && log.lines().toString().contains("anna at the center asks for the log");
        });
    assertThat(SiteLog.read(answer(Question.LOG, "b").body()).lines())
        .isNotEmpty()
        .allMatch(line -> line.device().equals("b"));
    for (String device : List.of("a", "b")) {
      Map<String, String> texts =
          Bundles.texts(new ByteArrayInputStream(answer(Question.BUNDLE, device).body()));
      assertThat(texts).containsKeys("README.txt", "about.txt", "status.json", "threads.txt");
      assertThat(texts.get("jobs/plant.sql")).contains("'password' = '***'");
      assertThat(texts.get("settings.txt")).contains("name=" + device);
      assertThat(texts.values()).noneMatch(text -> text.contains("hunter2"));
    }
    assertThat(answer(Question.LOG, "x").refusal()).contains("no device called x");
    assertThat(answer(Question.BUNDLE, "x").refusal())
        .isEqualTo("there is no device called x; there are: a, b, c");
    assertThat(answer("horoscope", "a").refusal()).contains("upgrade the site");
    devices.close(c);
    assertThat(answer(Question.BUNDLE, "c").refusal()).startsWith("device c cannot be asked: ");
    a.control().allowCenter(CenterRight.DIAGNOSIS, false);
    assertThat(answer(Question.LOG, "a").refusal()).contains("lets no center read");
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
        .hasMessage("plant.kept is not allowed; there are: none");
    Allowance allowance =
        new Allowance("plant", "kept", List.of(new Allowance.Column("n", "0", "")), 10, 60_000);
    device.control().allowTable(allowance);
    assertThat(device.control().allowedTables()).containsExactly(allowance);
  }
}
