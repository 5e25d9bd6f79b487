package io.sedge.site;

import static java.util.Objects.requireNonNull;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.exchange.ExchangeBlock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A task's commits go into the site's ledger: one is durable when a majority has it on disk and it
 * was carried out. Numbers its commits on from where the task was before.
 *
 * <p>While the outbox or the state is full the ledger refuses commits; they are kept, and given
 * again from the first refused one on every {@link #RETRY_NANOS}, so the task is slowed down and
 * nothing is lost. After {@link #end} is there nothing becomes durable any more: the task must be
 * stopped, and what it had not committed is somebody else's.
 */
public final class LedgerCommitLog implements CommitLog {
  static final long RETRY_NANOS = 100_000_000;

  /** Each commit is written by every member. */
  public static final long GAP_NANOS = 100_000_000;

  /**
   * In batch mode nobody waits for results before the end, and a part that is begun again a second
   * back loses little: so accumulators, which change all the time, are seldom written.
   */
  public static final long BATCH_GAP_NANOS = 1_000_000_000;

  /** As many as a task has under way. */
  private static final int MAX_PENDING = 8;

  private final Ledger ledger;
  private final TaskId task;
  private final long epoch;
  private final long base;
  private final Map<String, RowsCodec> codecs = new HashMap<>();
  private final Map<String, Boolean> exchanges;
  private final long gapNanos;
  private final LongSupplier nanoClock;

  /** The progress of each table in the last commit that was taken; the task's thread alone. */
  private final Map<String, Progress> told = new HashMap<>();

  /** Guarded by this; answers come in the ledger's thread. */
  private final Deque<Command.Commit> pending = new ArrayDeque<>();

  private int unanswered;
  private long durable;
  private boolean refused;
  private long refusedNanos;

  /** For what room the commit waits that was refused last; empty when one was taken since. */
  private String waitsFor = "";

  private Optional<Refusal> end = Optional.empty();

  /**
   * @param start what the task went on from
   * @param sinks the columns of each table that the task writes
   * @param exchanges those of the sinks whose rows are for another task of the job; true for one
   *     that holds rows back (windows that are open), which therefore never says that it is idle:
   *     what it holds would be late
   * @param gapNanos between two commits, at least
   * @param nanoClock monotonic
   */
  public LedgerCommitLog(
      Ledger ledger,
      TaskStart start,
      Map<String, Schema> sinks,
      Map<String, Boolean> exchanges,
      long gapNanos,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.task = start.task();
    this.epoch = start.epoch();
    this.base = start.sequence();
    this.exchanges = new TreeMap<>(exchanges);
    this.gapNanos = gapNanos;
    this.nanoClock = nanoClock;
    sinks.forEach((table, schema) -> codecs.put(table, new RowsCodec(schema)));
  }

  @Override
  public boolean keepsContents() {
    return true;
  }

  @Override
  public long leastGapNanos() {
    return gapNanos;
  }

  @Override
  public synchronized boolean offer(Commit commit) {
    if (end.isPresent() || refused || pending.size() >= MAX_PENDING) {
      return false;
    }
    Command.Commit command = command(commit);
    pending.add(command);
    submit(command);
    if (refused && unanswered == 0 && pending.size() == 1) {
      pending.clear();
      refused = false;
      return false;
    }
    exchanges.keySet().forEach(table -> told.put(table, progress(table, commit)));
    return true;
  }

  private Command.Commit command(Commit commit) {
    List<Change> changes = new ArrayList<>(commit.changes().size());
    commit.changes().forEach(change -> changes.add(new Change(change.key(), change.value())));
    List<Rows> rows = new ArrayList<>();
    exchanges.keySet().forEach(table -> addBlock(table, commit, rows));
    new TreeMap<>(commit.rows())
        .forEach(
            (table, batches) -> {
              if (!exchanges.containsKey(table)) {
                addRows(table, batches, rows);
              }
            });
    return new Command.Commit(
        task, epoch, base + commit.sequence(), commit.positions(), changes, rows);
  }

  private void addRows(String table, List<Batch> batches, List<Rows> rows) {
    RowsCodec codec = requireNonNull(codecs.get(table), table);
    for (Batch batch : batches) {
      rows.add(new Rows(Channel.OUTBOX, table, batch.rows(), codec.encode(batch)));
    }
  }

  private Progress progress(String table, Commit commit) {
    Progress progress = commit.progress().getOrDefault(table, Progress.NONE);
    return Boolean.TRUE.equals(exchanges.get(table))
        ? new Progress(progress.watermark(), false)
        : progress;
  }

  /** One block, if there is anything new to tell. */
  private void addBlock(String table, Commit commit, List<Rows> rows) {
    List<Batch> batches = commit.rows().getOrDefault(table, List.of());
    Progress progress = progress(table, commit);
    if (!batches.isEmpty() || !progress.equals(told.get(table))) {
      byte[] block =
          new ExchangeBlock(progress, batches).encode(requireNonNull(codecs.get(table), table));
      rows.add(new Rows(Channel.EXCHANGE, table, 1, block));
    }
  }

  private void submit(Command.Commit command) {
    unanswered++;
    var _ = ledger.submit(command).thenAccept(answer -> take(command.sequence(), answer));
  }

  private synchronized void take(long sequence, Answer answer) {
    unanswered--;
    switch (answer) {
      case Answer.Done _, Answer.Repeated _ -> {
        durable = Math.max(durable, sequence - base);
        waitsFor = "";
        while (!pending.isEmpty() && pending.getFirst().sequence() <= sequence) {
          pending.removeFirst();
        }
      }
      case Answer.Refused refusal -> {
        String room = room(refusal);
        waitsFor = room.isEmpty() ? waitsFor : room;
        refuse(refusal.reason());
      }
    }
  }

  private void refuse(Refusal reason) {
    switch (reason) {
      case OUTBOX_FULL, EXCHANGE_FULL, STATE_FULL, NOT_NOW, BUSY -> {
        refused = true;
        refusedNanos = nanoClock.getAsLong();
      }
      case WRONG_SEQUENCE -> {
        // One before it was refused, and is given again first.
        refused = true;
        refusedNanos = nanoClock.getAsLong();
      }
      case OLD_EPOCH,
          OTHER_DEVICE,
          UNKNOWN_DEVICE,
          UNKNOWN_JOB,
          UNKNOWN_TASK,
          TOO_LARGE,
          EXPELLED,
          MALFORMED,
          CLOSED ->
          end = end.isPresent() ? end : Optional.of(reason);
    }
  }

  @Override
  public synchronized long durable() {
    boolean again =
        refused
            && unanswered == 0
            && end.isEmpty()
            && nanoClock.getAsLong() - refusedNanos >= RETRY_NANOS;
    if (again) {
      refused = false;
      List.copyOf(pending).forEach(this::submit);
    }
    return durable;
  }

  @Override
  public synchronized String waitsFor() {
    return waitsFor;
  }

  private static String room(Answer.Refused refusal) {
    String bytes = "%,d bytes".formatted(refusal.value());
    return switch (refusal.reason()) {
      case OUTBOX_FULL ->
          "the site's outbox is full (%s): sinks are slow or away; `sedge site limits --outbox SIZE` allows more"
              .formatted(bytes);
      case EXCHANGE_FULL ->
          "the site's exchange is full (%s): merging is behind; `sedge site limits --exchange SIZE` allows more"
              .formatted(bytes);
      case STATE_FULL ->
          "the site's state is full (%s): keep less, or allow more: `sedge site limits --state SIZE`"
              .formatted(bytes);
      default -> "";
    };
  }

  /**
   * Why nothing more will be taken, if so: OLD_EPOCH, OTHER_DEVICE and the UNKNOWN ones say that
   * the shard was lost, TOO_LARGE that a commit can never be taken, CLOSED that this member has
   * ended.
   */
  public synchronized Optional<Refusal> end() {
    return end;
  }
}
