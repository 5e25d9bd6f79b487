package io.sedge.connector.command;

import io.sedge.connector.Awaited;
import io.sedge.connector.Reports;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a sink that are not through, in order, and what has become of those that are. The
 * sink adds to it, one writer works it off. Bounded: nothing is added while it is full. Any thread.
 */
public final class CommandQueue<C extends Command> {
  /** From so many commands that wait on there is no room. */
  public static final int CAPACITY = 4_096;

  private final Optional<Duration> maxAge;
  private final Reports reports;
  private final Runnable wakeUp;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<C> commands = new ArrayDeque<>();
  private List<Refusal> refusals = new ArrayList<>();
  private long done;
  private long bytes;
  private boolean stuck;
  private boolean ended;

  /**
   * A command that will not be written.
   *
   * @param why for people
   * @param isLate whether it is too old
   */
  record Refusal(Command command, String why, boolean isLate) {
    /** Tells who waits for the command. */
    void tell() {
      command
          .awaited()
          .ifPresent(
              awaited -> {
                if (isLate) {
                  awaited.expired(why);
                } else {
                  awaited.failed(why);
                }
              });
    }
  }

  /**
   * How far it is.
   *
   * @param done the sequence up to which all commands are written or refused
   * @param refusals those since the last call
   */
  record Progress(long done, List<Refusal> refusals) {}

  /**
   * @param maxAge how old a command may be to be written
   * @param done the sequence up to which there is nothing to do
   * @param wakeUp run when there is progress to be looked at
   */
  public CommandQueue(Optional<Duration> maxAge, Reports reports, long done, Runnable wakeUp) {
    this.maxAge = maxAge;
    this.reports = reports;
    this.done = done;
    this.wakeUp = wakeUp;
  }

  /** Whether a batch may be added. */
  boolean hasRoom() {
    lock.lock();
    try {
      return commands.size() < CAPACITY;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the commands of a batch, for which there is room; called by one thread. */
  void add(List<C> batch) {
    lock.lock();
    try {
      commands.addAll(batch);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  Progress progress() {
    lock.lock();
    try {
      Progress progress = new Progress(done, refusals);
      refusals = new ArrayList<>();
      return progress;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes of all values written. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** The command that is next; null if there is none now. */
  public @Nullable C first() {
    lock.lock();
    try {
      return commands.peek();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for commands; so many of the next at most, none after the {@link #end}. */
  public List<C> await(int most) throws InterruptedException {
    lock.lock();
    try {
      while (commands.isEmpty() && !ended) {
        changed.await();
      }
      return commands.stream().limit(most).toList();
    } finally {
      lock.unlock();
    }
  }

  /** A command, and those before it, are written or refused. */
  public void finish(C last) {
    finish(last.sequence());
  }

  /** Those before a command are written or refused. */
  public void finishBefore(C open) {
    finish(open.sequence() - 1);
  }

  private void finish(long last) {
    lock.lock();
    try {
      while (!commands.isEmpty() && commands.element().sequence() <= last) {
        done = commands.remove().sequence();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    wakeUp.run();
  }

  /** A command will not be written; it is still to be {@linkplain #finish finished}. */
  public void refuse(C command, String why, boolean isLate) {
    lock.lock();
    try {
      refusals.add(new Refusal(command, why, isLate));
    } finally {
      lock.unlock();
    }
  }

  /** Values were written. */
  public void written(long valueBytes) {
    lock.lock();
    try {
      bytes += valueBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Whether a command is too old to be written. */
  public boolean isOld(C command) {
    long age = Math.max(0, reports.nowMicros() - command.givenMicros());
    boolean old = maxAge.isPresent() && age > TimeUnit.NANOSECONDS.toMicros(maxAge.get().toNanos());
    return old || isOver(command);
  }

  private static boolean isOver(Command command) {
    return command.awaited().filter(Awaited::isOver).isPresent();
  }

  /** Why a command is too old, for people. */
  public String age(C command) {
    return isOver(command)
        ? "its time is over"
        : "it was given at %s, longer ago than 'sink.max-age'"
            .formatted(Reports.time(command.givenMicros()));
  }

  /** The far end does not take the first command now; said when that begins. */
  public void stuck(String farEnd, String why) {
    boolean said;
    lock.lock();
    try {
      said = stuck;
      stuck = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (!said) {
      reports.warn("%s takes no commands: %s; it is tried again".formatted(farEnd, why));
    }
  }

  /** The far end has taken a command; said if it did not before. */
  public void works(String farEnd) {
    boolean was;
    lock.lock();
    try {
      was = stuck;
      stuck = false;
    } finally {
      lock.unlock();
    }
    if (was) {
      reports.warn("%s takes commands again".formatted(farEnd));
    }
  }

  /** Has who waits here look again: the writer has failed. */
  public void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all is written, as long as the far end takes commands; what is left then is said
   * and dropped. May be called again.
   *
   * @param failed whether the writer has
   * @return how many were left
   */
  public int end(Duration patience, BooleanSupplier failed) {
    int left;
    lock.lock();
    try {
      long nanos = patience.toNanos();
      while (!commands.isEmpty() && !stuck && nanos > 0 && !failed.getAsBoolean()) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
      left = commands.size();
      commands.clear();
      changed.signalAll();
      lock.unlock();
    }
    if (left > 0) {
      reports.warn("%d commands were not written".formatted(left));
    }
    return left;
  }
}
