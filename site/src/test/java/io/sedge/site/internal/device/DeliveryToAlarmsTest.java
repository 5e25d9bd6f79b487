package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmState;
import io.sedge.connector.Connectors;
import io.sedge.division.Fragment;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.ProcessorQuota;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The task that delivers a job's rows, to alarms in the ledger, on devices that die. */
final class DeliveryToAlarmsTest {
  private static final TaskId ALL = new TaskId("plant", "all");
  private static final TaskId DELIVERY = new TaskId("plant", CompiledJob.DELIVERY);
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("v", Type.DOUBLE).build();

  @TempDir private Path directory;
  private final SitesLedger ledger = new SitesLedger();
  private long commits;

  /** Carries commands out at once; may lose what a device says. */
  private static final class SitesLedger implements Ledger {
    private final StateMachine machine = new StateMachine();
    private long index;
    private boolean losesAcknowledgements;
    private boolean losesReports;
    private boolean busy;

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      boolean lost =
          switch (command) {
            case Command.AcknowledgeRows _ -> losesAcknowledgements;
            case Command.ReportAlarms _ -> losesReports;
            default -> false;
          };
      if (lost) {
        return new CompletableFuture<>();
      }
      if (busy && command instanceof Command.ReportAlarms) {
        busy = false;
        return CompletableFuture.completedFuture(new Answer.Refused(Refusal.BUSY, 0));
      }
      index++;
      return CompletableFuture.completedFuture(
          machine.apply(index, new Envelope(1, index, 1, List.of(command))).answers().getFirst());
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
      return CompletableFuture.completedFuture(machine.tell(command));
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(machine.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long at, Function<? super SiteState, ? extends T> query) {
      return CompletableFuture.completedFuture(read(query));
    }
  }

  @BeforeEach
  void begin() {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    done(new Command.AssignTask(ALL, "a", 0));
    done(new Command.AssignTask(DELIVERY, "a", 0));
  }

  private void done(Command command) {
    assertThat(ledger.submit(command).join()).isInstanceOf(Answer.Done.class);
  }

  private void commit(double value, String... machines) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (String machine : machines) {
      builder.addRow(machine, value);
    }
    commits++;
    byte[] rows = new RowsCodec(SCHEMA).encode(List.of(builder.build()));
    done(
        new Command.Commit(
            ALL,
            1,
            commits,
            Map.of(),
            List.of(),
            List.of(new Rows(Channel.OUTBOX, "hot", machines.length, rows))));
  }

  private SteppedLauncher start() throws Exception {
    return start("hot");
  }

  /** Starts the task on a device. */
  private SteppedLauncher start(String table) throws Exception {
    Connectors connectors = Connectors.installed(DeliveryToAlarmsTest.class.getClassLoader());
    SteppedLauncher launcher =
        new SteppedLauncher(InstantSource.system(), System::nanoTime, log -> log, _ -> false);
    LedgerTaskHost host =
        new LedgerTaskHost(
            ledger,
            "site",
            connectors.byName(),
            () -> ProcessorQuota.FREE,
            launcher,
            InstantSource.system(),
            System::nanoTime);
    String script =
        """
        CREATE TABLE readings (machine STRING, v DOUBLE)
        WITH ('connector' = 'filesystem', 'path' = '/in', 'format' = 'csv');
        CREATE TABLE %1$s (machine STRING, v DOUBLE, PRIMARY KEY (machine) NOT ENFORCED)
        WITH ('connector' = 'alarm', 'value-column' = 'v', 'high-limit' = '80');
        INSERT INTO %1$s SELECT machine, v FROM readings;
        """
            .formatted(table);
    io.sedge.sql.Job job =
        new SqlCompiler(connectors.byName(), connectors.formats().byName(), InstantSource.system())
            .compile("plant", script, directory);
    Fragment fragment = new CompiledJob(job, Map.of()).fragments(Map.of(), List.of()).getLast();
    TaskStart start = TaskStart.open(ledger, DELIVERY, "a").join().orElseThrow();
    host.start(DELIVERY, fragment, new JobFragments(1, List.of(fragment)), start);
    return launcher;
  }

  private static void step(SteppedLauncher launcher, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      launcher.step();
    }
  }

  private List<AlarmState> states() {
    return ledger.read(state -> state.alarms().list().stream().map(Alarm::state).toList());
  }

  private List<AlarmEvent> events() {
    return ledger.read(
        state ->
            state.alarms().table("plant", "hot").changesAfter(0).stream()
                .map(AlarmChange::event)
                .toList());
  }

  private boolean isDelivered() {
    return ledger.read(state -> state.job("plant").map(Job::waitingRows).orElseThrow() == 0);
  }

  /** Where rows are of which the ledger does not know yet that they are delivered. */
  @Test
  void rowsThatADeadDeviceHasDeliveredRaiseNothingAgain() throws Exception {
    ledger.losesAcknowledgements = true;
    commit(90, "pump-1", "pump-2");
    commit(70, "pump-1");
    commit(90, "pump-1");
    SteppedLauncher first = start();
    step(first, () -> events().size() == 4);
    ledger.losesAcknowledgements = false;
    SteppedLauncher second = start();
    commit(70, "pump-2");
    step(second, this::isDelivered);
    assertThat(events())
        .containsExactly(
            AlarmEvent.RAISE,
            AlarmEvent.RAISE,
            AlarmEvent.CLEAR,
            AlarmEvent.RAISE,
            AlarmEvent.CLEAR);
    assertThat(states()).containsExactlyInAnyOrder(AlarmState.UNACKNOWLEDGED, AlarmState.RETURNED);
  }

  @Test
  void whatADeadDeviceCouldNotSayIsSaidByTheNext() throws Exception {
    ledger.losesReports = true;
    commit(90, "pump-1");
    SteppedLauncher first = start();
    for (int i = 0; i < 100; i++) {
      first.step();
    }
    assertThat(isDelivered()).isFalse();
    ledger.losesReports = false;
    ledger.busy = true;
    step(start(), this::isDelivered);
    assertThat(states()).containsExactly(AlarmState.UNACKNOWLEDGED);
  }

  // A device that was taken for dead knows nothing of what has happened since.
  @Test
  void whoWasTakenForDeadChangesNothing() throws Exception {
    commit(90, "pump-1");
    SteppedLauncher first = start();
    step(first, this::isDelivered);
    SteppedLauncher second = start();
    commit(70, "pump-1");
    for (int i = 0; i < 100; i++) {
      first.step();
    }
    assertThat(events()).containsExactly(AlarmEvent.RAISE);
    step(second, this::isDelivered);
    assertThat(events()).containsExactly(AlarmEvent.RAISE, AlarmEvent.CLEAR);
  }

  @Test
  void whatPeopleHaveDoneOutlastsTheDevice() throws Exception {
    commit(90, "pump-1");
    step(start(), this::isDelivered);
    done(
        new Command.ActOnAlarms(
            new AlarmAction(
                AlarmEvent.ACKNOWLEDGE,
                List.of(new AlarmAction.Target(1, 1)),
                "ann",
                1,
                0,
                "on my way")));
    SteppedLauncher second = start();
    commit(91, "pump-1");
    step(second, this::isDelivered);
    assertThat(states()).containsExactly(AlarmState.ACKNOWLEDGED);
    commit(70, "pump-1");
    step(second, this::isDelivered);
    assertThat(states()).isEmpty();
  }

  @Test
  void aTableThatTheScriptHasNoMoreIsForgotten() throws Exception {
    commit(90, "pump-1");
    step(start(), this::isDelivered);
    assertThat(states()).hasSize(1);
    SteppedLauncher other = start("cold");
    step(other, () -> states().isEmpty());
  }
}
