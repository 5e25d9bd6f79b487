package io.sedge.ledger;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The ledger, as one device sees it. Any thread may call. */
public interface Ledger {
  /**
   * Hands a command over. Commands of one member are carried out in the order in which they were
   * handed over, each once, whatever fails in between. Never waits: what cannot be kept until it
   * can be sent is refused ({@link Refusal#BUSY}).
   *
   * @return completed when a majority has it on disk and it was carried out, or refused. While
   *     there is no majority, or the leader has no room on its disk, that takes as long as it
   *     takes. What is chained to it runs on the ledger's thread and must not wait
   */
  CompletableFuture<Answer> submit(Command command);

  /**
   * Tells how a device is: a {@link Command.ReportDevice} that is not the last, or a {@link
   * Command.MeasureDevice}. Who leads takes it and all others learn it from there; nothing is
   * written to a log or a disk, so it may be lost with the leader, and the next one says it better.
   *
   * @return completed when a leader that a majority follows has taken it, done as of its last
   *     entry; as long as there is none, that takes as long as it takes
   */
  CompletableFuture<Answer> tell(Command command);

  /** Reads the state as this member knows it, which may be a moment behind. */
  <T> T read(Function<? super SiteState, ? extends T> query);

  /**
   * Reads the state as soon as this member has carried out the log up to an entry, for example that
   * of an {@link Answer.Done}.
   */
  <T> CompletableFuture<T> readAt(long index, Function<? super SiteState, ? extends T> query);
}
