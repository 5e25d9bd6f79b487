package io.sedge.site.internal.device;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
import io.sedge.ledger.Format;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.ProcessorQuota;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The task that delivers a job's rows, to a real server that takes its time. */
final class DeliveryToHttpTest {
  private static final TaskId ALL = new TaskId("plant", "all");
  private static final TaskId DELIVERY = new TaskId("plant", CompiledJob.DELIVERY);
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();
  private static final int MOST_ROWS = 10;

  private final StateMachine machine = new StateMachine();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Semaphore answers = new Semaphore(0);
  private HttpServer server;
  private long index;
  private long commits;
  private long rows;

  private record Request(String key, List<Long> rows) {}

  /** What a device sees of the site; it may be cut off, and then sees what it saw last. */
  private final class View implements Ledger {
    private StateMachine seen = machine;
    private boolean losesAcknowledgements;

    void cutOff() {
      ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
      StateMachine last = new StateMachine();
      try {
        machine.writeSnapshot(snapshot);
        last.readSnapshot(new ByteArrayInputStream(snapshot.toByteArray()));
      } catch (IOException | MalformedException e) {
        throw new AssertionError(e);
      }
      seen = last;
    }

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      boolean lost = losesAcknowledgements && command instanceof Command.AcknowledgeRows;
      return seen != machine || lost
          ? new CompletableFuture<>()
          : CompletableFuture.completedFuture(apply(command));
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
      return CompletableFuture.completedFuture(machine.tell(command));
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(seen.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long at, Function<? super SiteState, ? extends T> query) {
      return CompletableFuture.completedFuture(read(query));
    }
  }

  @BeforeEach
  void begin() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(task -> Thread.ofVirtual().start(task));
    server.createContext("/rows", this::take);
    server.start();
    done(new Command.RegisterDevice("a", "", Map.of(Format.LABEL, "" + Format.NEWEST)));
    done(new Command.RaiseFormat(Format.NEWEST));
    done(new Command.SubmitJob("plant", ""));
    done(new Command.AssignTask(ALL, "a", 0));
    done(new Command.AssignTask(DELIVERY, "a", 0));
  }

  @AfterEach
  void stop() {
    answers.release(1_000_000);
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    List<Long> numbers =
        Stream.of(body.replaceAll("[^0-9,]", "").split(",")).map(Long::parseLong).toList();
    requests.add(new Request(exchange.getRequestHeaders().getFirst("Idempotency-Key"), numbers));
    answers.acquireUninterruptibly();
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private Answer apply(Command command) {
    index++;
    return machine.apply(index, new Envelope(1, index, 1, List.of(command))).answers().getFirst();
  }

  private void done(Command command) {
    assertThat(apply(command)).isInstanceOf(Answer.Done.class);
  }

  /** A block of the table that is sent, and one of another table, as commits have them. */
  private void commit(int count) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    LongStream.range(rows, rows + count).forEach(builder::addRow);
    rows += count;
    commits++;
    byte[] bytes = new RowsCodec(SCHEMA).encode(List.of(builder.build()));
    done(
        new Command.Commit(
            ALL,
            1,
            commits,
            Map.of(),
            List.of(),
            List.of(
                new Rows(Channel.OUTBOX, "results", count, bytes),
                new Rows(Channel.OUTBOX, "others", count, bytes))));
  }

  private Fragment delivery(Connectors connectors) throws Exception {
    String script =
        """
        SET 'sedge.commit-interval' = '10 ms';
        CREATE TABLE readings (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '/in', 'format' = 'csv');
        CREATE TABLE results (n BIGINT)
        WITH ('connector' = 'http', 'url' = 'http://127.0.0.1:%d/rows', 'format' = 'json',
          'sink.request.max-rows' = '%d');
        CREATE TABLE others (n BIGINT) WITH ('connector' = 'blackhole');
        EXECUTE STATEMENT SET BEGIN
        INSERT INTO results SELECT n FROM readings;
        INSERT INTO others SELECT n FROM readings;
        END;
        """
            .formatted(server.getAddress().getPort(), MOST_ROWS);
    io.sedge.sql.Job job =
        new SqlCompiler(connectors.byName(), connectors.formats().byName(), InstantSource.system())
            .compile("plant", script, Path.of("."));
    return new CompiledJob(job, Map.of()).fragments(Map.of(), List.of()).getLast();
  }

  /** Starts the task on a device. */
  private SteppedLauncher start(View ledger) throws Exception {
    Connectors connectors = Connectors.installed(DeliveryToHttpTest.class.getClassLoader());
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
      Thread.onSpinWait();
    }
  }

  private boolean isAllDelivered() {
    return machine.state().job("plant").map(Job::waitingRows).orElseThrow() == 0;
  }

  /** What a server has that takes each key once. */
  private List<Long> taken() {
    Set<String> keys = new HashSet<>();
    List<Long> taken = new ArrayList<>();
    for (Request request : requests) {
      if (keys.add(request.key())) {
        taken.addAll(request.rows());
      }
    }
    return taken;
  }

  private List<Long> all() {
    return LongStream.range(0, rows).boxed().toList();
  }

  // A server that takes 50 ms a request gets 20 a second; a site of 30 tasks has more blocks.
  @Test
  void rowsThatWaitWhileTheServerIsBusyGoTogether() throws Exception {
    SteppedLauncher device = start(new View());
    commit(1);
    step(device, () -> requests.size() == 1); // Nothing waited, so it waits for nothing.
    assertThat(requests.getFirst().rows()).containsExactly(0L);
    for (int block = 0; block < 40; block++) {
      commit(1);
    }
    answers.release(1_000);
    step(device, this::isAllDelivered);
    assertThat(requests).hasSizeLessThanOrEqualTo(3 + 40 / MOST_ROWS);
    assertThat(requests).allMatch(request -> request.rows().size() <= MOST_ROWS);
    assertThat(requests).anyMatch(request -> request.rows().size() == MOST_ROWS);
    assertThat(requests.stream().flatMap(request -> request.rows().stream()))
        .as("in order, each once")
        .containsExactlyElementsOf(all());
  }

  // Older devices could not tell which rows went together, if they came to deliver.
  @Test
  void whileDevicesOfAVersionBeforeAreThereEachBlockGoesAlone() throws Exception {
    machine.readSnapshot(new ByteArrayInputStream(before()));
    answers.release(1_000);
    for (int block = 0; block < 5; block++) {
      commit(1);
    }
    step(start(new View()), this::isAllDelivered);
    assertThat(requests).hasSize(5);
  }

  /** The site with its format as it was. */
  private static byte[] before() throws IOException {
    StateMachine machine = new StateMachine();
    long index = 0;
    for (Command command :
        List.of(
            new Command.RegisterDevice("a", "", Map.of(Format.LABEL, "" + (Format.GROUPS - 1))),
            new Command.RaiseFormat(Format.GROUPS - 1),
            new Command.SubmitJob("plant", ""),
            new Command.AssignTask(ALL, "a", 0),
            new Command.AssignTask(DELIVERY, "a", 0))) {
      index++;
      machine.apply(index, new Envelope(1, index, 1, List.of(command)));
    }
    ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
    machine.writeSnapshot(snapshot);
    return snapshot.toByteArray();
  }

  /**
   * Devices die, or are cut off and live on, at any time; those that are cut off go on sending what
   * they see. Acknowledgements are late or lost.
   */
  @Test
  void aServerThatKeepsKeysHasEachRowOnceWhoeverDiesWhenever() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<SteppedLauncher> cutOff = new ArrayList<>();
    View view = new View();
    SteppedLauncher device = start(view);
    for (int turn = 0; turn < 1_500; turn++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> {
          for (int blocks = random.nextInt(8); blocks > 0; blocks--) {
            commit(1 + random.nextInt(4));
          }
        }
        case 3, 4, 5 -> answers.release(random.nextInt(3));
        case 6 -> view.losesAcknowledgements = random.nextBoolean();
        case 7 -> {
          if (random.nextInt(4) == 0) {
            if (random.nextBoolean()) {
              view.cutOff();
            }
            cutOff.add(device);
            view = new View();
            device = start(view);
          }
        }
        default -> {
          for (int steps = random.nextInt(30); steps > 0; steps--) {
            device.step();
            cutOff.forEach(SteppedLauncher::step);
          }
        }
      }
    }
    answers.release(1_000_000);
    SteppedLauncher last = start(new View());
    step(last, this::isAllDelivered);
    // Who was cut off sends the rest of what it sees.
    for (int steps = 0; steps < 500; steps++) {
      cutOff.forEach(SteppedLauncher::step);
    }
    assertThat(taken()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(all());
  }
}
