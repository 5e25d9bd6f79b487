package io.sedge.site.internal.training;

import io.sedge.connector.ConnectorException;
import io.sedge.identity.TrainingReply;
import io.sedge.learning.training.DeviceRows;
import io.sedge.learning.training.HistoryQuery;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.QuestionCodec;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.TrainingShare;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Job;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one training on this device, and the thread that gathers them and goes over them. It
 * gathers, then answers one question after the other, until it is closed, it fails, or nobody asks.
 */
final class TrainingRows implements AutoCloseable {
  /** For how long rows are kept while nobody asks. */
  static final Duration LEASE = Duration.ofMinutes(1);

  /** For how long who asks is kept waiting before the answer is that there is none yet. */
  private static final Duration HOLD = Duration.ofSeconds(3);

  private final String training;
  private final Job.Training model;
  private final Path file;
  private final HistoryQuery history;
  private final JobListener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;

  // Of the lock.
  private DeviceRows.Summary summary = new DeviceRows.Summary(0, 0, Long.MAX_VALUE, Long.MIN_VALUE);
  private int answered = -1;
  private Statistic statistic = Statistic.nothing(0);
  private int asked;
  private @Nullable Question question;
  private @Nullable String failure;
  private boolean over;
  private long keptUntilNanos;

  private TrainingRows(
      String training, Job.Training model, Path file, HistoryQuery history, JobListener listener) {
    this.training = training;
    this.model = model;
    this.file = file;
    this.history = history;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("sedge-training-rows").daemon().unstarted(this::run);
  }

  /** Begins to gather. */
  static TrainingRows start(
      String training, Job.Training model, Path file, HistoryQuery history, JobListener listener) {
    TrainingRows rows = new TrainingRows(training, model, file, history, listener);
    rows.thread.start();
    return rows;
  }

  boolean isOf(String other) {
    return training.equals(other);
  }

  boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      Recipe recipe = Recipe.of(model.model());
      TrainingShare share = new TrainingShare(recipe.share(), System::nanoTime);
      try (DeviceRows rows = new DeviceRows(file, recipe)) {
        history.fill(model.query(), recipe, rows, share, listener);
        answer(rows.summary(), Statistic.nothing(0));
        while (true) {
          Question next = next();
          if (next == null) {
            break;
          }
          answer(rows.summary(), rows.answer(next, share));
        }
      }
      end("nobody asked for %d s".formatted(LEASE.toSeconds()));
    } catch (JobException | TrainingException | ConnectorException | IOException e) {
      end(String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      end("the training was ended");
    } catch (RuntimeException | Error e) {
      end("a fault in Sedge while training: " + e);
    }
  }

  private void answer(DeviceRows.Summary now, Statistic answer) {
    lock.lock();
    try {
      summary = now;
      statistic = answer;
      answered = asked;
      question = null;
      keptUntilNanos = System.nanoTime() + LEASE.toNanos();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end(String why) {
    lock.lock();
    try {
      over = true;
      failure = why;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The next question; null if there was none for too long. */
  private @Nullable Question next() throws InterruptedException {
    lock.lock();
    try {
      while (question == null) {
        long left = keptUntilNanos - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        var _ = changed.awaitNanos(left);
      }
      return question;
    } finally {
      lock.unlock();
    }
  }

  /** The lease begins anew, as it does with each answer. */
  void keep() {
    lock.lock();
    try {
      keptUntilNanos = System.nanoTime() + LEASE.toNanos();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The answer of a round, or that it is not there yet.
   *
   * @throws SiteException JOB_NOT_FINISHED if there will be none; NOT_NOW if it is at another round
   */
  TrainingReply answer(int round, byte[] bytes) throws SiteException {
    lock.lock();
    try {
      if (round == asked + 1 && answered == asked && !over) {
        Question fresh = QuestionCodec.decode(bytes);
        if (fresh.columns() > Recipe.of(model.model()).columns()) {
          throw new IllegalArgumentException("a question about columns that there are not");
        }
        asked = round;
        question = fresh;
        changed.signalAll();
      }
      long left = HOLD.toNanos();
      while (answered < round && !over && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (answered == round) {
        return reply(true);
      }
      if (over) {
        throw new SiteException(FailureCode.JOB_NOT_FINISHED, String.valueOf(failure));
      }
      if (round != asked) {
        throw new SiteException(FailureCode.NOT_NOW, "it is not at round " + round);
      }
      return reply(false);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, "it is being stopped", e);
    } finally {
      lock.unlock();
    }
  }

  /** What there is now. */
  TrainingReply progress() {
    lock.lock();
    try {
      return reply(false);
    } finally {
      lock.unlock();
    }
  }

  private TrainingReply reply(boolean done) {
    return new TrainingReply(
        done,
        summary.rows(),
        summary.leftOut(),
        summary.firstMillis(),
        summary.lastMillis(),
        done ? statistic.rows() : 0,
        done ? QuestionCodec.bytes(statistic.sums()) : new byte[0]);
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(HOLD);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
