package io.sedge.alarm;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Alarms that last as long as their process: of a run. Any thread. */
public final class MemoryAlarms {
  private final Alarms alarms = new Alarms();

  /** Where the alarms of a job are kept. */
  public AlarmStore of(String job) {
    return new AlarmStore() {
      @Override
      public <T> T read(String table, Function<? super AlarmTable, ? extends T> query) {
        return MemoryAlarms.this.read(all -> query.apply(all.table(job, table)));
      }

      @Override
      public CompletableFuture<Boolean> commit(AlarmBatch batch) {
        return apply(job, batch)
            ? CompletableFuture.completedFuture(true)
            : CompletableFuture.failedFuture(new TooManyTablesException());
      }
    };
  }

  private synchronized boolean apply(String job, AlarmBatch batch) {
    return alarms.apply(job, batch);
  }

  /** Carries out what a person does; returns to how many alarms it happened. */
  public synchronized int apply(AlarmAction action) {
    return alarms.apply(action);
  }

  /** Reads them; they are to be looked at in the query alone. */
  public synchronized <T> T read(Function<? super AlarmView, ? extends T> query) {
    return query.apply(alarms);
  }
}
