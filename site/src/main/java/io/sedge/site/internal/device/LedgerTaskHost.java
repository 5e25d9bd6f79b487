package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.RaisesAlarms;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.CommitBeat;
import io.sedge.site.internal.commit.DeliveryCommitLog;
import io.sedge.site.internal.commit.Holding;
import io.sedge.site.internal.commit.LedgerAlarms;
import io.sedge.site.internal.commit.LedgerCommitLog;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.site.internal.exchange.LedgerTables;
import io.sedge.site.internal.exchange.Outbox;
import io.sedge.site.internal.exchange.Producers;
import io.sedge.sql.Job;
import io.sedge.task.JobStart;
import io.sedge.task.ProcessorQuota;
import io.sedge.task.Resume;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Runs tasks with their commits in the ledger: gives each the tables that it reads and writes
 * there, and leaves its running to a {@link Launcher}.
 */
final class LedgerTaskHost implements TaskHost {
  private final Ledger ledger;
  private final String site;
  private final Map<String, ConnectorFactory> connectors;
  private final Supplier<ProcessorQuota> paces;
  private final Launcher launcher;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final Map<Duration, CommitBeat> beats = new HashMap<>();

  /** Runs a job that has all it needs. */
  @FunctionalInterface
  interface Launcher {
    /**
     * Starts it; returns at once.
     *
     * @param refusal why the ledger takes no more commits of it, if so
     */
    Running launch(
        TaskId id,
        Map<String, ConnectorFactory> connectors,
        JobStart start,
        Supplier<Optional<Refusal>> refusal);
  }

  /**
   * @param site the site's name among all, for what far ends keep
   * @param paces makes the pace of each task
   */
  LedgerTaskHost(
      Ledger ledger,
      String site,
      Map<String, ConnectorFactory> connectors,
      Supplier<ProcessorQuota> paces,
      Launcher launcher,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.site = site;
    this.connectors = Map.copyOf(connectors);
    this.paces = paces;
    this.launcher = launcher;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  @Override
  public Running start(TaskId id, Fragment fragment, JobFragments fragments, TaskStart start) {
    return fragment.name().equals(CompiledJob.DELIVERY)
        ? startDelivery(id, start.epoch(), fragment, fragments.earlier())
        : startTask(id, fragment, fragments.all(), start);
  }

  private Running startTask(
      TaskId id, Fragment fragment, List<Fragment> fragments, TaskStart start) {
    Job job = fragment.job();
    Map<String, Schema> schemas = new HashMap<>();
    Map<String, Job.SinkTable> sinks = new HashMap<>();
    Map<String, Holding> exchanges = new HashMap<>();
    job.sinks()
        .forEach(
            (name, sink) -> {
              schemas.put(name, sink.table().schema());
              boolean exchange = sink.connector().equals(Fragments.EXCHANGE);
              if (exchange) {
                boolean partial = sink.table().options().containsKey(Fragments.PARTIAL);
                exchanges.put(name, holding(job.plan(), name, partial));
              }
              sinks.put(
                  name,
                  exchange
                      ? sink
                      : new Job.SinkTable(sink.table(), LedgerTables.COMMIT, sink.updating()));
            });
    Map<String, Producers> producers = new HashMap<>();
    job.sources()
        .forEach(
            (name, source) -> {
              if (source.connector().equals(Fragments.EXCHANGE)) {
                producers.put(
                    name,
                    new LedgerProducers(ledger, id.job(), source.table(), job.batch(), fragments));
              }
            });
    Map<String, ConnectorFactory> all = new HashMap<>(connectors);
    all.put(LedgerTables.COMMIT, LedgerTables.commit());
    LedgerCommitLog commitLog =
        new LedgerCommitLog(
            ledger, start, schemas, exchanges, beat(job.commitInterval()), nanoClock);
    all.put(
        Fragments.EXCHANGE,
        LedgerTables.exchange(
            ledger, id.job(), producers, job.plan(), current(id, start.epoch()), commitLog));
    Job rewritten =
        new Job(
            job.name(),
            job.settings(),
            job.notes(),
            job.sources(),
            sinks,
            job.plan(),
            job.functions(),
            job.aggregates());
    Map<String, String> shards =
        fragment
            .dividedTable()
            .map(table -> Map.of(table, fragment.shard().orElseThrow()))
            .orElse(Map.of());
    JobStart jobStart =
        new JobStart(
            rewritten,
            shards,
            Optional.of(site + "/" + id),
            start.resume(),
            Optional.empty(),
            commitLog,
            paces.get());
    return launcher.launch(id, all, jobStart, commitLog::end);
  }

  /** One for all tasks that commit as often. */
  private CommitBeat beat(Duration interval) {
    return beats.computeIfAbsent(interval, _ -> new CommitBeat(interval.toNanos(), clock));
  }

  /** What windows hold back of what a sink gets; of partial results, those that come before. */
  private static Holding holding(Plan plan, String table, boolean partial) {
    int windows =
        plan.sinks().stream()
            .filter(sink -> sink.table().equals(table))
            .mapToInt(sink -> windows(sink.input()))
            .max()
            .orElse(0);
    if (windows == 0) {
      return Holding.NOTHING;
    }
    return partial && windows == 1 ? Holding.PARTIAL_RESULTS : Holding.RESULTS;
  }

  /** How many steps that wait for the watermark follow each other. */
  private static int windows(PlanNode node) {
    int most = node.inputs().stream().mapToInt(LedgerTaskHost::windows).max().orElse(0);
    boolean holds =
        switch (node) {
          case PlanNode.WindowAggregate _, PlanNode.OverAggregate _ -> true;
          case PlanNode.TopN top -> top.windowEnd() >= 0;
          default -> false;
        };
    return holds ? most + 1 : most;
  }

  /**
   * @param earlier the script that the fragment is of, if it is not the job's own: it delivers what
   *     it has given, and ends
   */
  private Running startDelivery(
      TaskId id, long epoch, Fragment fragment, Optional<io.sedge.ledger.Job.Earlier> earlier) {
    Job job = fragment.job();
    Outbox outbox =
        new Outbox(
            ledger,
            site,
            id,
            current(id, epoch),
            job.sinks().keySet(),
            earlier.map(io.sedge.ledger.Job.Earlier::lastRow).orElse(Long.MAX_VALUE),
            () -> earlier.isPresent() || ledger.read(state -> isOver(state, id)),
            clock);
    Map<String, ConnectorFactory> all = new HashMap<>(connectors);
    all.put(Outbox.CONNECTOR, outbox.connector());
    keepAlarms(all, job, new LedgerAlarms(ledger, id, epoch), earlier.isEmpty());
    JobStart start =
        new JobStart(
            job,
            Map.of(),
            Optional.empty(),
            Resume.NOTHING,
            Optional.of(outbox),
            new DeliveryCommitLog(
                ledger, new CommitBeat(job.commitInterval().toNanos(), clock), nanoClock),
            paces.get());
    return launcher.launch(id, all, start, Optional::empty);
  }

  /**
   * Gives connectors that raise alarms their place in the ledger.
   *
   * @param present whether the script is the job's own: tables that it has no more are forgotten
   */
  private static void keepAlarms(
      Map<String, ConnectorFactory> connectors, Job job, LedgerAlarms alarms, boolean present) {
    connectors.replaceAll(
        (_, connector) ->
            connector instanceof RaisesAlarms raises ? raises.keptIn(alarms) : connector);
    if (present) {
      alarms.keepOnly(
          job.sinks().entrySet().stream()
              .filter(sink -> connectors.get(sink.getValue().connector()) instanceof RaisesAlarms)
              .map(Map.Entry::getKey)
              .collect(Collectors.toSet()));
    }
  }

  /** Another device or another script raises the epoch of a task. */
  private static Predicate<SiteState> current(TaskId id, long epoch) {
    return state -> state.task(id).filter(task -> task.epoch() <= epoch).isPresent();
  }

  /** Whether no task of the job will commit rows any more. */
  private static boolean isOver(SiteState state, TaskId delivery) {
    String job = delivery.job();
    boolean stopped = state.job(job).map(known -> known.state().hasEnded()).orElse(false);
    boolean any = false;
    for (Task task : state.tasks()) { // Asked often: most answers are found early.
      if (task.id().job().equals(job) && !task.id().equals(delivery)) {
        if (stopped ? !task.device().isEmpty() : !task.ended()) {
          return false;
        }
        any = true;
      }
    }
    // Parts become tasks when they are given out.
    return stopped
        || (any
            && state.parts(job).stream()
                .map(part -> new TaskId(job, part.shard()))
                .allMatch(part -> state.task(part).isPresent()));
  }
}
