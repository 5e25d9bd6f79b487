package io.sedge.site.internal.device;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A ledger that counts the commits and the moves of tasks that go into it, and measures how long a
 * commit takes.
 */
public final class MeteredLedger implements Ledger {
  /** Upper bounds in seconds; what takes longer is above the last one. */
  private static final double[] BOUNDS = {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

  private static final double NANOS = 1e9;

  private final Ledger ledger;
  private final LongSupplier nanoClock;
  private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
  private final long[] counts = new long[BOUNDS.length + 1];
  private double seconds;
  private long moves;

  /**
   * How long commits took that were taken.
   *
   * @param bounds in seconds, upper, ascending; the last count has none
   * @param counts one more than bounds; of what lies between two bounds
   * @param seconds the sum of all
   */
  public record Durations(List<Double> bounds, List<Long> counts, double seconds) {
    public Durations {
      bounds = List.copyOf(bounds);
      counts = List.copyOf(counts);
    }
  }

  /**
   * @param nanoClock monotonic
   */
  public MeteredLedger(Ledger ledger, LongSupplier nanoClock) {
    this.ledger = ledger;
    this.nanoClock = nanoClock;
  }

  @Override
  public CompletableFuture<Answer> submit(Command command) {
    boolean move = command instanceof Command.AssignTask assign && isMove(assign);
    long begin = nanoClock.getAsLong();
    CompletableFuture<Answer> answer = ledger.submit(command);
    if (!move && !(command instanceof Command.Commit)) {
      return answer;
    }
    return answer.thenApply(
        given -> {
          if (move) {
            countMove(given);
          } else {
            countCommit(given, nanoClock.getAsLong() - begin);
          }
          return given;
        });
  }

  @Override
  public CompletableFuture<Answer> tell(Command command) {
    return ledger.tell(command);
  }

  /** Whether a task goes from a device to another one. */
  private boolean isMove(Command.AssignTask assign) {
    String from =
        ledger.read(state -> state.task(assign.task()).map(task -> task.device()).orElse(""));
    return !from.isEmpty() && !assign.device().isEmpty() && !from.equals(assign.device());
  }

  private synchronized void countMove(Answer answer) {
    moves += answer instanceof Answer.Done ? 1 : 0;
  }

  private synchronized void countCommit(Answer answer, long nanos) {
    switch (answer) {
      case Answer.Done _, Answer.Repeated _ -> {
        double took = nanos / NANOS;
        seconds += took;
        int found = Arrays.binarySearch(BOUNDS, took);
        counts[found >= 0 ? found : -found - 1]++;
      }
      case Answer.Refused(Refusal reason, long _) -> refused.merge(reason, 1L, Long::sum);
    }
  }

  /** How long commits took. */
  public synchronized Durations durations() {
    return new Durations(
        Arrays.stream(BOUNDS).boxed().toList(), Arrays.stream(counts).boxed().toList(), seconds);
  }

  /** Commits that were refused, by reason. */
  public synchronized Map<Refusal, Long> refused() {
    return new EnumMap<>(refused);
  }

  /** Tasks that were moved from a device to another one. */
  public synchronized long moves() {
    return moves;
  }

  @Override
  public <T> T read(Function<? super SiteState, ? extends T> query) {
    return ledger.read(query);
  }

  @Override
  public <T> CompletableFuture<T> readAt(
      long index, Function<? super SiteState, ? extends T> query) {
    return ledger.readAt(index, query);
  }
}
