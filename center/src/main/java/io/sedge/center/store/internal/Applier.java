package io.sedge.center.store.internal;

import io.sedge.center.store.AuditLog;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.StoreStatus.Failure;
import io.sedge.connector.Causes;
import io.sedge.task.Printable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that stores rows: it takes what waits, from all sites in turn, and commits it
 * together. An append that cannot be stored is taken back alone. If the database fails, all of the
 * transaction fail and nothing of it is stored; the next one connects anew.
 *
 * <p>If an append of a stream fails, those that wait behind it fail with it: they would be stored
 * over the gap that it leaves.
 */
final class Applier implements AutoCloseable {
  private static final long GROUP_BYTES = 8 << 20;

  private final Database database;
  private final StreamWriter writer;
  private final AppendQueue queue;
  private final InstantSource clock;
  private final Consumer<String> log;
  private final Runnable sitesChanged;
  private final Runnable rowsCame;
  private final Thread thread;

  final Repairs repairs = new Repairs();
  final LongAdder commits = new LongAdder();
  final LongAdder blocks = new LongAdder();
  final LongAdder rows = new LongAdder();
  final LongAdder repeated = new LongAdder();
  final LongAdder rejected = new LongAdder();
  final LongAdder refused = new LongAdder();
  private volatile boolean available = true;
  private volatile @Nullable Failure lastFailure;

  Applier(
      Database database,
      ResultTables tables,
      AppendQueue queue,
      InstantSource clock,
      Consumer<String> log,
      Runnable sitesChanged,
      Runnable rowsCame) {
    this.database = database;
    this.writer = new StreamWriter(database.dialect(), tables, repairs);
    this.queue = queue;
    this.clock = clock;
    this.log = log;
    this.sitesChanged = sitesChanged;
    this.rowsCame = rowsCame;
    this.thread = Thread.ofPlatform().name("sedge-center-rows").daemon().start(this::run);
  }

  boolean available() {
    return available;
  }

  Optional<Failure> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  private void run() {
    try {
      for (List<Append> group = queue.take(GROUP_BYTES);
          !group.isEmpty();
          group = queue.take(GROUP_BYTES)) {
        apply(group);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Nothing is stored any more, also where an error has ended it.
      available = false;
    }
  }

  /** An append and what it came to. */
  private static final class Try {
    final Append append;
    StreamWriter.@Nullable Outcome outcome;
    @Nullable StoreException refusal;

    Try(Append append) {
      this.append = append;
    }
  }

  private void apply(List<Append> group) {
    List<Try> tries = group.stream().map(Try::new).toList();
    try {
      commit(tries);
      if (!available) {
        available = true;
        log.accept("the database takes rows again");
      }
    } catch (SQLException e) {
      fail(tries, database.failed(e));
    } catch (RuntimeException e) {
      fail(tries, new StoreException(Reason.INTERNAL, "the center has a fault: " + e, e));
    }
    tries.forEach(this::end);
    rowsCame.run();
  }

  private void fail(List<Try> tries, StoreException failure) {
    writer.forget();
    if (available) {
      log.accept(
          "rows are not stored and will be sent again: " + String.valueOf(failure.getMessage()));
    }
    available = false;
    lastFailure = new Failure(clock.instant(), String.valueOf(failure.getMessage()));
    for (Try each : tries) {
      each.refusal = failure;
    }
  }

  private void commit(List<Try> tries) throws SQLException {
    try (Connection connection = database.writer()) {
      connection.setAutoCommit(false);
      try {
        List<Long> failed = new ArrayList<>();
        for (Try each : tries) {
          attempt(connection, each, failed);
        }
        connection.commit();
        commits.increment();
      } catch (SQLException | RuntimeException e) {
        Database.rollback(connection);
        throw e;
      }
    }
  }

  private void attempt(Connection connection, Try each, List<Long> failed) throws SQLException {
    StreamPlan plan = each.append.plan();
    if (failed.contains(plan.id())) {
      each.refusal = behind(plan);
      return;
    }
    Savepoint before = connection.setSavepoint();
    try {
      each.outcome = writer.apply(connection, each.append);
      connection.releaseSavepoint(before);
    } catch (StoreException e) {
      connection.rollback(before);
      writer.forget();
      each.refusal = e;
    } catch (SQLException e) {
      if (database.dialect().isUnavailable(e)) {
        throw e;
      }
      connection.rollback(before);
      writer.forget();
      each.refusal = refusal(plan, e);
    }
    if (each.refusal != null) {
      failed.add(plan.id());
    }
  }

  private static StoreException behind(StreamPlan plan) {
    return new StoreException(
        Reason.BUSY, "rows of job %s before these were not stored".formatted(plan.job()));
  }

  private StoreException refusal(StreamPlan plan, SQLException e) {
    return database.dialect().isSchemaChanged(e)
        ? new StoreException(
            Reason.SCHEMA_REFUSED,
            "table %s does not take the rows of job %s, somebody may have changed it: %s"
                .formatted(plan.table(), plan.job(), Causes.text(e)),
            e)
        : database.failed(e);
  }

  /** Tells who waits, once what they are told is certain. */
  private void end(Try each) {
    Append append = each.append;
    StoreException refusal = each.refusal;
    StreamWriter.Outcome outcome = each.outcome;
    if (refusal == null && outcome != null) {
      rows.add(outcome.rows());
      blocks.add(outcome.blocks());
      repeated.add(outcome.repeated());
      if (outcome.rejected() > 0) {
        rejected.add(outcome.rejected());
        log.accept(
            "left out of table %4$s: %1$s of job %2$s at site '%3$s', as a column of the key is NULL"
                .formatted(
                    Printable.count(outcome.rejected(), "row"),
                    append.plan().job(),
                    append.plan().site(),
                    append.plan().table()));
      }
      append.applied().complete(outcome.applied());
      return;
    }
    StoreException why =
        refusal == null ? new StoreException(Reason.INTERNAL, "nothing was done") : refusal;
    if (why.reason() == Reason.SEQUENCE_WENT_BACK) {
      hold(append.plan(), String.valueOf(why.getMessage()));
    }
    // What comes after the answer does not wait behind it: those are taken out before.
    List<Append> waiting = queue.removeStream(append.plan());
    refused.add(1 + waiting.size());
    append.fail(why);
    waiting.forEach(later -> later.fail(behind(append.plan())));
  }

  /** Refuses the site's rows until a person has looked at it. */
  private void hold(StreamPlan plan, String message) {
    try {
      boolean first =
          database.write(
              handle -> {
                int held =
                    handle.execute(
                        "UPDATE sedge_site SET held = ? WHERE name = ? AND held IS NULL",
                        message,
                        plan.site());
                if (held > 0) {
                  RegistryRows.audit(
                      handle,
                      clock.millis(),
                      AuditLog.MAX_ENTRIES,
                      List.of("center", "hold", plan.site(), message));
                }
                return held > 0;
              });
      if (first) {
        log.accept(message);
        sitesChanged.run();
      }
    } catch (StoreException e) {
      // The site sends the rows again and is held then.
      log.accept("site '%s' could not be held: %s".formatted(plan.site(), e.getMessage()));
    }
  }

  /** Stores what waits, then ends. */
  @Override
  public void close() {
    queue.close();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
