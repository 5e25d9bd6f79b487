package io.sedge.center.internal.merge;

import io.sedge.center.MergeCompiler;
import io.sedge.center.store.Merges.MergedJob;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.division.AcrossSites;
import io.sedge.sql.SqlException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges the windows of jobs over many sites, in a thread of its own. It looks for jobs and parts
 * once a second. A job that fails is tried again after a while, and holds up no other.
 */
public final class Merger implements AutoCloseable {
  private static final long LOOK_MILLIS = 1_000;
  private static final long AFTER_FAILURE_MILLIS = 10_000;

  private final Store store;
  private final MergeCompiler compiler;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final Map<MergedJob, List<MergedTable>> tables = new HashMap<>();

  /** By the names of jobs; of the store by an empty one. */
  private final Map<String, Failure> failures = new HashMap<>();

  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread =
      Thread.ofPlatform().name("sedge-center-merge").daemon().unstarted(this::run);

  private record Failure(String why, long atMillis) {}

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
      failed("", String.valueOf(e.getMessage()));
      return false;
    }
    tables.keySet().retainAll(jobs);
    failures.keySet().retainAll(jobs.stream().map(MergedJob::name).collect(Collectors.toSet()));
    boolean more = false;
    for (MergedJob job : jobs) {
      Failure failure = failures.get(job.name());
      if (failure == null
          || Math.abs(clock.millis() - failure.atMillis()) >= AFTER_FAILURE_MILLIS) {
        more |= merge(job);
      }
    }
    return more;
  }

  /** The boundary of a job: whatever nobody has foreseen ends this pass of it, and no other. */
  private boolean merge(MergedJob job) throws InterruptedException {
    boolean more = false;
    try {
      for (MergedTable table : tables(job)) {
        more |= table.pass(clock.millis());
      }
      failures.remove(job.name());
      return more;
    } catch (StoreException | SqlException e) {
      failed(job.name(), String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      StringWriter stack = new StringWriter();
      e.printStackTrace(new PrintWriter(stack));
      failed(job.name(), "a fault in Sedge: " + stack);
    }
    return false;
  }

  private List<MergedTable> tables(MergedJob job) throws SqlException {
    @Nullable List<MergedTable> known = tables.get(job);
    if (known == null) {
      AcrossSites cut = compiler.compile(job.name(), job.script());
      List<MergedTable> made = new ArrayList<>();
      cut.merges()
          .forEach(
              merge ->
                  made.add(
                      new MergedTable(store, job.name(), merge, cut.ofSite().mergeWait(), log)));
      known = List.copyOf(made);
      tables.put(job, known);
    }
    return known;
  }

  private void failed(String job, String why) {
    @Nullable Failure before = failures.put(job, new Failure(why, clock.millis()));
    if (before == null || !before.why().equals(why)) {
      log.accept(
          job.isEmpty()
              ? "jobs cannot be merged: " + why
              : "job %s cannot be merged: %s".formatted(job, why));
    }
  }

  /** Ends after the window that is under way, or before if it waits for the database. */
  @Override
  public void close() {
    ending.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
