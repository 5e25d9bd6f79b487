package io.sedge.site.internal.commit;

import static java.util.Objects.requireNonNull;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.exchange.Backlog;
import io.sedge.site.internal.exchange.ExchangeBlock;
import io.sedge.site.internal.exchange.ExchangeCapacity;
import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import io.sedge.task.Progress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * A task's commits go into the site's ledger: one is durable when a majority has it on disk and it
 * was carried out. Numbers its commits on from where the task was before.
 *
 * <p>While the outbox or the state is full the ledger refuses commits; they are kept, and given
 * again from the first refused one on every {@link #RETRY_NANOS}, so the task is slowed down and
 * nothing is lost. After {@link #end} is there nothing becomes durable any more: the task must be
 * stopped, and what it had not committed is somebody else's.
 */
public final class LedgerCommitLog implements CommitLog, ExchangeCapacity {
  static final long RETRY_NANOS = 100_000_000;

  /** As many as a task has under way. */
  private static final int MAX_PENDING = 8;

  /**
   * Eighths of what the ledger takes at once: the rest is for what a batch may add, and for errors
   * of the estimate. Less would make many commits of a state that is changed all over all the time.
   */
  private static final int COMMIT_EIGHTHS = 5;

  /** The part of what a task could keep above which it keeps nothing for being early. */
  private static final int SCARCE_PART = 4;

  /** The same above which it keeps nothing for being early though others may find no room. */
  private static final int LARGE_PART = 2;

  /**
   * In so many commits a task gives its share of the exchange, so that whoever merges can stop
   * between them: it keeps several times the bytes that rows have there.
   */
  private static final int SHARE_COMMITS = 4;

  /** The part of the exchange that is left when it counts as full. */
  private static final int LEFT_PART = 8;

  private final Ledger ledger;
  private final TaskId task;
  private final long epoch;
  private final long base;
  private final Map<String, RowsCodec> codecs = new HashMap<>();
  private final Map<String, Holding> exchanges;
  private final Backlog backlog;
  private final TaskBeat beat;
  private final LongSupplier nanoClock;

  /** The progress of each table in the last commit that was taken; the task's thread alone. */
  private final Map<String, Progress> told = new HashMap<>();

  /** Guarded by this; answers come in the ledger's thread. */
  private final Deque<Command.Commit> pending = new ArrayDeque<>();

  /** What the pending ones give to the exchange, and by how much they may let the state grow. */
  private long pendingExchangeBytes;

  private long pendingStateBytes;

  /**
   * Whether the last one offered was not taken since its share of the exchange is full; the task's
   * thread alone.
   */
  private boolean ahead;

  /** As of the last commit offered; the task's thread alone. */
  private long commitBytes;

  private long rowBytes;

  private int unanswered;
  private long durable;
  private boolean refused;
  private long refusedNanos;

  /** For what room the commit waits that was refused last; empty when one was taken since. */
  private String waitsFor = "";

  private Optional<Refusal> end = Optional.empty();
  private volatile Runnable change = () -> {};

  /**
   * @param start what the task went on from
   * @param sinks the columns of each table that the task writes
   * @param exchanges those of the sinks whose rows are for another task of the job
   * @param beat of all tasks of this device that commit as often
   * @param nanoClock monotonic
   */
  public LedgerCommitLog(
      Ledger ledger,
      TaskStart start,
      Map<String, Schema> sinks,
      Map<String, Holding> exchanges,
      CommitBeat beat,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.task = start.task();
    this.epoch = start.epoch();
    this.base = start.sequence();
    this.exchanges = new TreeMap<>(exchanges);
    this.backlog = new Backlog(ledger, start.task(), exchanges.keySet());
    this.beat = new TaskBeat(beat);
    this.nanoClock = nanoClock;
    lookAtLimits();
    sinks.forEach((table, schema) -> codecs.put(table, new RowsCodec(schema)));
  }

  @Override
  public boolean keepsContents() {
    return true;
  }

  @Override
  public long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    return beat.untilDue(newsNanos, rowsNanos, nowNanos);
  }

  @Override
  public void onChange(Runnable whatToCall) {
    change = whatToCall;
  }

  @Override
  public Set<String> partialResults() {
    return exchanges.entrySet().stream()
        .filter(table -> table.getValue() == Holding.PARTIAL_RESULTS)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Override
  public boolean offer(Commit commit) {
    // The ledger is asked outside of the lock, which its answers take.
    ahead = givesRows(commit) && backlog.isFull(pendingExchangeBytes());
    if (ahead) {
      return false;
    }
    lookAtLimits();
    beat.commit(nanoClock.getAsLong());
    return give(commit);
  }

  private synchronized long pendingExchangeBytes() {
    return pendingExchangeBytes;
  }

  private synchronized boolean give(Commit commit) {
    if (end.isPresent() || refused || pending.size() >= MAX_PENDING) {
      return false;
    }
    Command.Commit command = command(commit);
    addPending(command);
    submit(command);
    if (refused && unanswered == 0 && pending.size() == 1) {
      removePending();
      refused = false;
      return false;
    }
    exchanges.keySet().forEach(table -> told.put(table, progress(table, commit)));
    return true;
  }

  /** Whether anything of it goes to the exchange. */
  private boolean givesRows(Commit commit) {
    return exchanges.keySet().stream().anyMatch(table -> isNews(table, commit));
  }

  private void addPending(Command.Commit command) {
    pending.add(command);
    pendingExchangeBytes += exchangeBytes(command);
    pendingStateBytes += stateBytes(command);
  }

  private void removePending() {
    Command.Commit first = pending.removeFirst();
    pendingExchangeBytes -= exchangeBytes(first);
    pendingStateBytes -= stateBytes(first);
  }

  private static long exchangeBytes(Command.Commit command) {
    long bytes = 0;
    for (Rows rows : command.rows()) {
      bytes += rows.channel() == Channel.EXCHANGE ? Backlog.counted(rows) : 0;
    }
    return bytes;
  }

  private static long stateBytes(Command.Commit command) {
    long bytes = 0;
    for (Change change : command.changes()) {
      byte[] value = change.value();
      bytes += value == null ? 0 : change.key().length + value.length + Limits.ENTRY_OVERHEAD;
    }
    return bytes;
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
    for (List<Batch> block : RowsCodec.blocks(batches)) {
      rows.add(new Rows(Channel.OUTBOX, table, RowsCodec.rows(block), codec.encode(block)));
    }
  }

  private Progress progress(String table, Commit commit) {
    Progress progress = commit.progress().getOrDefault(table, Progress.NONE);
    return exchanges.get(table) == Holding.RESULTS
        ? new Progress(progress.watermark(), false)
        : progress;
  }

  /** One block, if there is anything new to tell. */
  private void addBlock(String table, Commit commit, List<Rows> rows) {
    if (isNews(table, commit)) {
      List<Batch> batches = commit.rows().getOrDefault(table, List.of());
      byte[] block =
          new ExchangeBlock(progress(table, commit), batches)
              .encode(requireNonNull(codecs.get(table), table));
      rows.add(new Rows(Channel.EXCHANGE, table, 1, block));
    }
  }

  private boolean isNews(String table, Commit commit) {
    return commit.rows().containsKey(table) || !progress(table, commit).equals(told.get(table));
  }

  private void submit(Command.Commit command) {
    unanswered++;
    var _ =
        ledger
            .submit(command)
            .thenAccept(
                answer -> {
                  take(command.sequence(), answer);
                  change.run();
                });
  }

  private synchronized void take(long sequence, Answer answer) {
    unanswered--;
    switch (answer) {
      case Answer.Done _, Answer.Repeated _ -> {
        durable = Math.max(durable, sequence - base);
        waitsFor = "";
        while (!pending.isEmpty() && pending.getFirst().sequence() <= sequence) {
          removePending();
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
          TOO_OFTEN,
          EXPELLED,
          OLD_FORMAT,
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
  public String waitsFor() {
    String room = waitsForRoom();
    return ahead && room.isEmpty() ? backlog.why() : room;
  }

  @Override
  public boolean waitsForOthers() {
    return ahead;
  }

  private synchronized String waitsForRoom() {
    return waitsFor;
  }

  @Override
  public long commitBytes() {
    return commitBytes;
  }

  @Override
  public long rowBytes() {
    return rowBytes;
  }

  private void lookAtLimits() {
    commitBytes = ledger.read(state -> state.limits().commitBytes()) / 8L * COMMIT_EIGHTHS;
    rowBytes = exchanges.isEmpty() ? Long.MAX_VALUE : backlog.share() / SHARE_COMMITS;
  }

  @Override
  public boolean isScarce() {
    return keepsMoreThan(SCARCE_PART);
  }

  /** Whether the task keeps more than a part of what it could. */
  private boolean keepsMoreThan(int part) {
    long pendingBytes = pendingStateBytes();
    return ledger.read(
        state -> {
          long own = state.task(task).map(Task::stateBytes).orElse(0L);
          long room = state.limits().stateBytes() - (state.stateBytes() - own);
          return own + pendingBytes > room / part;
        });
  }

  private synchronized long pendingStateBytes() {
    return pendingStateBytes;
  }

  @Override
  public boolean isExchangeFull() {
    return ledger.read(
        state -> {
          long limit = state.limits().exchangeBytes();
          return state.rowBytes(Channel.EXCHANGE) > limit - limit / LEFT_PART;
        });
  }

  @Override
  public boolean isExchangeTight() {
    return ledger.read(Backlog::isTight) && !keepsMoreThan(LARGE_PART);
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
