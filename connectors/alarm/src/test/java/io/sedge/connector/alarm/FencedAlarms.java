package io.sedge.connector.alarm;

import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmStore;
import io.sedge.alarm.AlarmTable;
import io.sedge.alarm.MemoryAlarms;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Alarms as a ledger keeps them: of whoever came last alone. */
final class FencedAlarms {
  final MemoryAlarms alarms = new MemoryAlarms();
  private int last;

  /** The last row that is there, taken or not. */
  long lastRow;

  /** For one more process; those before are refused from now on. */
  AlarmStore next() {
    int own = ++last;
    AlarmStore store = alarms.of("plant");
    return new AlarmStore() {
      @Override
      public <T> T read(String table, Function<? super AlarmTable, ? extends T> query) {
        return store.read(table, query);
      }

      @Override
      public long lastRow(String table, long after) {
        return Math.max(after, lastRow);
      }

      @Override
      public CompletableFuture<Boolean> commit(AlarmBatch batch) {
        return own == last
            ? store.commit(batch)
            : CompletableFuture.failedFuture(new SupersededException("another one goes on"));
      }
    };
  }
}
