package io.sedge.alarm;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Where the alarms of one job are kept, for its sinks. Any thread. On a site it is the ledger: what
 * is committed outlasts devices, and is refused from a sink that another one has followed.
 */
public interface AlarmStore {
  /**
   * Reads what is kept of a table; empty if nothing is. The table is to be looked at in the query
   * alone.
   */
  <T> T read(String table, Function<? super AlarmTable, ? extends T> query);

  /**
   * The sequence of the last row that is there for a table, taken or not; {@code after} if none is
   * after that.
   */
  default long lastRow(String table, long after) {
    return after;
  }

  /**
   * Carries out a batch. Batches of one store are carried out in the order in which they were
   * given. Never waits.
   *
   * @return true when it is kept for good; false if there is no room for it now, and it is to be
   *     given again. Fails with a {@link SupersededException} if another sink goes on with the
   *     table, and with a {@link TooManyTablesException} if there is no room for one more
   */
  CompletableFuture<Boolean> commit(AlarmBatch batch);

  /** There are as many tables as there may be; the message says what to do. */
  final class TooManyTablesException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TooManyTablesException() {
      super(
          "there are %d tables of alarms already: remove a job that has ended"
              .formatted(Alarms.MAX_TABLES));
    }
  }

  /** Nothing more is taken from this one; the message says why. */
  final class SupersededException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public SupersededException(String message) {
      super(message);
    }
  }
}
