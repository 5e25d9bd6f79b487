package io.sedge.center.internal.merge;

import io.sedge.center.MergeCompiler;
import io.sedge.center.store.Merges.MergedJob;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.division.AcrossSites;
import io.sedge.sql.SqlException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Merges the windows of jobs over many sites, in a thread of its own. It looks for parts once a
 * second while there are such jobs, and asks for jobs as often while there are none.
 */
public final class Merger implements AutoCloseable {
  private static final long LOOK_MILLIS = 1_000;
  private static final long AFTER_FAILURE_MILLIS = 10_000;

  private final Store store;
  private final MergeCompiler compiler;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final Map<MergedJob, List<MergedTable>> tables = new HashMap<>();
  private final Map<String, String> failures = new HashMap<>();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("sedge-center-merge").daemon().unstarted(this::run);

  /**
   * One that does nothing by itself until it is started.
   *
   * @param log is told what cannot be merged, once for each reason
   */
  public Merger(Store store, MergeCompiler compiler, InstantSource clock, Consumer<String> log) {
    this.store = store;
    this.compiler = compiler;
    this.clock = clock;
    this.log = log;
  }

  /** Begins, in a thread of its own. */
  public Merger start() {
    thread.start();
    return this;
  }

  private void run() {
    try {
      long pause = 0;
      while (!ending.await(pause, TimeUnit.MILLISECONDS)) {
        pause = pass() ? 0 : LOOK_MILLIS;
        if (!failures.isEmpty()) {
          pause = AFTER_FAILURE_MILLIS;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Merges what is due, in the caller's thread, while it has none of its own.
   *
   * @return whether more is to be done at once
   */
  public boolean pass() throws InterruptedException {
    List<MergedJob> jobs;
    try {
      jobs = store.merges().jobs();
    } catch (StoreException e) {
      say("", e.getMessage());
      return false;
    }
    failures.remove("");
    tables.keySet().retainAll(jobs);
    boolean more = false;
    for (MergedJob job : jobs) {
      try {
        for (MergedTable table : tables(job)) {
          more |= table.pass(clock.millis());
        }
        failures.remove(job.name());
      } catch (StoreException | SqlException e) {
        say(job.name(), e.getMessage());
      } catch (RuntimeException e) {
        say(job.name(), "a fault in Sedge: " + e);
      }
    }
    return more;
  }

  private List<MergedTable> tables(MergedJob job) throws SqlException {
    List<MergedTable> known = tables.get(job);
    if (known == null) {
      AcrossSites cut = compiler.compile(job.name(), job.script());
      List<MergedTable> made = new ArrayList<>();
      cut.merges()
          .forEach(
              merge -> made.add(new MergedTable(store, job.name(), merge, cut.ofSite().mergeWait(), log)));
      known = List.copyOf(made);
      tables.put(job, known);
    }
    return known;
  }

  private void say(String job, @Nullable String why) {
    String text = String.valueOf(why);
    if (!Objects.equals(failures.put(job, text), text)) {
      log.accept(
          job.isEmpty()
              ? "jobs cannot be merged: " + text
              : "job %s cannot be merged: %s".formatted(job, text));
    }
  }

  /** Ends after what is under way. */
  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
