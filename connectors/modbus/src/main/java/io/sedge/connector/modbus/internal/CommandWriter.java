package io.sedge.connector.modbus.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands one after the other, in the loop's thread. What the far end does not answer is
 * tried again, with growing pauses, until it is answered or too old; what it refuses, or does not
 * keep, is put among the refusals. So each command is written once or more, or refused and said.
 *
 * <p>The methods that are not private may be called from any thread.
 */
final class CommandWriter implements AutoCloseable {
  /** From so many commands that wait on there is no room. */
  static final int CAPACITY = 4_096;

  private final ModbusSinkFactory.Settings settings;
  private final Loop loop;
  private final Reports reports;
  private final Runnable wakeUp;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Command> queue = new ArrayDeque<>();
  private List<Refusal> refusals = new ArrayList<>();
  private long done;
  private long bytes;
  private boolean stuck;

  // What follows belongs to the loop's thread.
  private @Nullable Link link;
  private int connection;
  private @Nullable Command current;
  private boolean pausing;
  private int failures;
  private int rewrites;

  /**
   * A command that will not be written.
   *
   * @param why for people
   */
  record Refusal(Command command, String why) {}

  /**
   * How far it is.
   *
   * @param done the sequence up to which all commands are written or refused
   * @param refusals those since the last call
   */
  record Progress(long done, List<Refusal> refusals) {}

  /**
   * @param done the sequence up to which there is nothing to do
   * @param wakeUp run when there is progress to be looked at
   */
  CommandWriter(
      String table,
      ModbusSinkFactory.Settings settings,
      Reports reports,
      long done,
      Runnable wakeUp) {
    this.settings = settings;
    this.reports = reports;
    this.done = done;
    this.wakeUp = wakeUp;
    this.loop = new Loop(table, settings.link(), wakeUp);
  }

  /** What has gone wrong that nobody has foreseen; null as a rule. */
  @Nullable Throwable failure() {
    return loop.failure();
  }

  /** Takes commands, all or none. */
  boolean offer(List<Command> commands) {
    lock.lock();
    try {
      if (queue.size() >= CAPACITY) {
        return false;
      }
      queue.addAll(commands);
    } finally {
      lock.unlock();
    }
    loop.execute(this::begin);
    return true;
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

  private void begin() {
    if (current == null) {
      next();
    }
  }

  private void next() {
    Command command = firstToWrite();
    current = command;
    rewrites = 0;
    if (command == null) {
      wakeUp.run();
    } else {
      attempt(command);
    }
  }

  /** The first command that has anything to write; those before it are through. */
  private @Nullable Command firstToWrite() {
    lock.lock();
    try {
      Command command = queue.peek();
      while (command != null && command.writes().isEmpty()) {
        finish(command);
        command = queue.peek();
      }
      return command;
    } finally {
      lock.unlock();
    }
  }

  /** The command is through; the lock is held. Nothing waits once the writer is closed. */
  private void finish(Command command) {
    var _ = queue.poll();
    done = command.sequence();
    changed.signalAll();
  }

  private void attempt(Command command) {
    pausing = false;
    Optional<Duration> maxAge = settings.maxAge();
    long age = Math.max(0, reports.nowMicros() - command.givenMicros());
    if (maxAge.isPresent() && age > TimeUnit.NANOSECONDS.toMicros(maxAge.get().toNanos())) {
      refuse(
          command,
          "it was given at %s, longer ago than 'sink.max-age'"
              .formatted(Reports.time(command.givenMicros())));
      return;
    }
    if (link != null) {
      write(command, 0);
      return;
    }
    int made = ++connection;
    loop.connect(
        settings.endpoint(),
        () -> {
          if (made == connection) {
            lost();
          }
        },
        (connected, why) -> {
          if (made != connection) {
            if (connected != null) {
              connected.close();
            }
          } else if (connected == null) {
            retry(command, why);
          } else {
            link = connected;
            write(command, 0);
          }
        });
  }

  private void lost() {
    disconnect();
    if (current != null && !pausing) {
      retry(current, "the connection was lost");
    }
  }

  private void write(Command command, int index) {
    Link used = link;
    if (used == null) {
      return;
    }
    Command.Write write = command.writes().get(index);
    int of = connection;
    used.write(
        command.unit(),
        write.span(),
        write.values(),
        outcome -> {
          if (of == connection) {
            if (outcome instanceof Outcome.Answered) {
              if (settings.readBack()) {
                readBack(used, command, index);
              } else {
                written(command, index);
              }
            } else {
              failed(command, write, outcome);
            }
          }
        });
  }

  private void readBack(Link used, Command command, int index) {
    Command.Write write = command.writes().get(index);
    int of = connection;
    used.read(
        command.unit(),
        write.span(),
        outcome -> {
          if (of == connection) {
            if (!(outcome instanceof Outcome.Answered(byte[] values))) {
              failed(command, write, outcome);
            } else if (write.isReadAs(values)) {
              written(command, index);
            } else if (rewrites++ < settings.maxRetries()) {
              write(command, index);
            } else {
              refuse(
                  command,
                  "%s was written %d times and is still read back as something else"
                      .formatted(write.span(), rewrites));
            }
          }
        });
  }

  private void written(Command command, int index) {
    boolean more = index + 1 < command.writes().size();
    failures = 0;
    boolean wasStuck;
    lock.lock();
    try {
      bytes += command.writes().get(index).values().length;
      wasStuck = stuck;
      stuck = false;
      if (!more) {
        finish(command);
      }
    } finally {
      lock.unlock();
    }
    if (wasStuck) {
      reports.warn("%s takes commands again".formatted(settings.endpoint().name()));
    }
    if (more) {
      write(command, index + 1);
    } else {
      next();
    }
  }

  private void failed(Command command, Command.Write write, Outcome outcome) {
    switch (outcome) {
      case Outcome.Refused refused when !refused.passes() ->
          refuse(command, "%s is answered with %s".formatted(write.span(), refused));
      case Outcome.Refused refused -> retry(command, refused.toString());
      case Outcome.Garbled(byte[] _, String why) -> retryAnew(command, why);
      case Outcome.Lost(String why) -> retryAnew(command, why);
      case Outcome.NoAnswer _ -> retryAnew(command, "no answer");
      case Outcome.Answered _ -> throw new IllegalStateException("an answer is no failure");
    }
  }

  private void refuse(Command command, String why) {
    lock.lock();
    try {
      refusals.add(new Refusal(command, why));
      finish(command);
    } finally {
      lock.unlock();
    }
    next();
  }

  private void retryAnew(Command command, String why) {
    disconnect();
    retry(command, why);
  }

  private void retry(Command command, String why) {
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
      reports.warn(
          "%s unit %d takes no commands: %s; it is tried again"
              .formatted(settings.endpoint().name(), command.unit(), why));
    }
    pausing = true;
    loop.schedule(() -> attempt(command), settings.link().pauses().nanos(++failures));
  }

  private void disconnect() {
    connection++;
    if (link != null) {
      link.close();
      link = null;
    }
  }

  /**
   * Writes what waits, as long as the far end answers and for the connection's time-out at most;
   * then ends the thread. What is left is said. May be called again.
   */
  @Override
  public void close() {
    int left = 0;
    lock.lock();
    try {
      long nanos = settings.link().connectTimeout().toNanos();
      while (!queue.isEmpty() && !stuck && nanos > 0 && loop.failure() == null) {
        nanos = changed.awaitNanos(nanos);
      }
      left = queue.size();
      queue.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    if (left > 0) {
      reports.warn("%d commands were not written".formatted(left));
    }
    loop.execute(this::disconnect);
    loop.close();
  }
}
