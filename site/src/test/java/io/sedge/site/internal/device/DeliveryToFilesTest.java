package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.division.Fragment;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.ProcessorQuota;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The task that delivers a job's rows, to real files. */
final class DeliveryToFilesTest {
  private static final TaskId ALL = new TaskId("plant", "all");
  private static final TaskId DELIVERY = new TaskId("plant", CompiledJob.DELIVERY);
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();
  private static final int ROWS = 100;

  @TempDir private Path directory;
  private final SitesLedger ledger = new SitesLedger();
  private long commits;

  /** Carries commands out at once; may lose acknowledgements, as with their device. */
  private static final class SitesLedger implements Ledger {
    private final StateMachine machine = new StateMachine();
    private long index;
    private boolean losesAcknowledgements;
    private long lost;

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      if (losesAcknowledgements && command instanceof Command.AcknowledgeRows acknowledge) {
        lost = acknowledge.upTo();
        return new CompletableFuture<>();
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

  private void done(Command command) {
    assertThat(ledger.submit(command).join()).isInstanceOf(Answer.Done.class);
  }

  private void commit() {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    LongStream.range(commits * ROWS, (commits + 1) * ROWS).forEach(builder::addRow);
    Batch batch = builder.build();
    commits++;
    byte[] rows = new RowsCodec(SCHEMA).encode(List.of(batch));
    done(
        new Command.Commit(
            ALL,
            1,
            commits,
            Map.of(),
            List.of(),
            List.of(new Rows(Channel.OUTBOX, "results", ROWS, rows))));
  }

  private Fragment delivery(Connectors connectors) throws Exception {
    String script =
        """
        CREATE TABLE readings (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '/in', 'format' = 'csv');
        CREATE TABLE results (n BIGINT)
        WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv');
        INSERT INTO results SELECT n FROM readings;
        """
            .formatted(directory.toUri());
    io.sedge.sql.Job job =
        new SqlCompiler(connectors.byName(), connectors.formats().byName(), InstantSource.system())
            .compile("plant", script, directory);
    return new CompiledJob(job, Map.of()).fragments(Map.of(), List.of()).getLast();
  }

  /** Starts the task on a device. */
  private SteppedLauncher start() throws Exception {
    Connectors connectors = Connectors.installed(DeliveryToFilesTest.class.getClassLoader());
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
    Fragment fragment = delivery(connectors);
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

  /** What is in the files, in those in progress too. */
  private List<Long> rows() throws IOException {
    List<Long> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".") || name.endsWith(".inprogress")) {
          Files.readAllLines(file).forEach(line -> rows.add(Long.parseLong(line)));
        }
      }
    }
    return rows;
  }

  /** The device dies: nothing is closed. Its last acknowledgement has not reached the ledger. */
  @Test
  void rowsThatADeadDeviceHasDeliveredAreNotDeliveredAgain() throws Exception {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    done(new Command.AssignTask(ALL, "a", 0));
    done(new Command.AssignTask(DELIVERY, "a", 0));
    for (int i = 0; i < 3; i++) {
      commit();
    }
    SteppedLauncher first = start();
    step(first, () -> ledger.read(DeliveryToFilesTest::waiting) == 0);
    ledger.losesAcknowledgements = true;
    commit();
    commit();
    long last = ledger.read(state -> state.job("plant").map(Job::nextRow).orElseThrow()) - 1;
    step(first, () -> ledger.lost == last);
    assertThat(ledger.read(DeliveryToFilesTest::waiting)).isEqualTo(2 * ROWS);

    ledger.losesAcknowledgements = false;
    SteppedLauncher second = start();
    commit();
    step(second, () -> ledger.read(DeliveryToFilesTest::waiting) == 0);
    assertThat(rows())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, commits * ROWS).boxed().toList());
  }

  private static long waiting(SiteState state) {
    return state.job("plant").map(Job::waitingRows).orElseThrow();
  }
}
