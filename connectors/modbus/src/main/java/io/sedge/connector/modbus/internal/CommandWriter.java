package io.sedge.connector.modbus.internal;

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
import java.util.stream.Collectors;
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

  /** Which request of the current command is not done yet; those before it are. */
  private int index;

  /** Whether that one's write was answered, so that it is only to be read back. */
  private boolean isWritten;

  /** Whether it was sent and may have been written, or not kept as it was. */
  private boolean isUncertain;

  private int rewrites;

  /**
   * A command that will not be written.
   *
   * @param why for people
   * @param isLate whether it is too old
   */
  record Refusal(Command command, String why, boolean isLate) {
    Refusal(Command command, String why) {
      this(command, why, false);
    }

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

  /** Whether a batch may be added. */
  boolean hasRoom() {
    lock.lock();
    try {
      return queue.size() < CAPACITY;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the commands of a batch, for which there is room; called by one thread. */
  void add(List<Command> commands) {
    lock.lock();
    try {
      queue.addAll(commands);
    } finally {
      lock.unlock();
    }
    loop.execute(this::begin);
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
    beginRequest(0);
    if (command == null) {
      wakeUp.run();
    } else {
      attempt(command);
    }
  }

  private void beginRequest(int newIndex) {
    index = newIndex;
    isWritten = false;
    isUncertain = false;
    rewrites = 0;
  }

  /** The first command that has anything to write and may be; those before it are through. */
  private @Nullable Command firstToWrite() {
    lock.lock();
    try {
      Command command = queue.peek();
      while (command != null && (command.writes().isEmpty() || isOld(command))) {
        if (!command.writes().isEmpty()) {
          refusals.add(new Refusal(command, age(command), true));
        }
        finish(command);
        command = queue.peek();
      }
      return command;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOld(Command command) {
    Optional<Duration> maxAge = settings.maxAge();
    long age = Math.max(0, reports.nowMicros() - command.givenMicros());
    boolean old = maxAge.isPresent() && age > TimeUnit.NANOSECONDS.toMicros(maxAge.get().toNanos());
    return old || isOver(command);
  }

  private static boolean isOver(Command command) {
    return command.awaited().filter(Awaited::isOver).isPresent();
  }

  private static String age(Command command) {
    if (isOver(command)) {
      return "its time is over";
    }
    return "it was given at %s, longer ago than 'sink.max-age'"
        .formatted(Reports.time(command.givenMicros()));
  }

  /** The command is through; the lock is held. Nothing waits once the writer is closed. */
  private void finish(Command command) {
    var _ = queue.poll();
    done = command.sequence();
    changed.signalAll();
  }

  /** Goes on with a command at the request that is not done yet. */
  private void attempt(Command command) {
    pausing = false;
    if (refusesOld(command)) {
      return;
    }
    if (link != null) {
      proceed(command);
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
            proceed(command);
          }
        });
  }

  private void lost() {
    isUncertain |= link != null && !pausing;
    disconnect();
    if (current != null && !pausing) {
      retry(current, "the connection was lost");
    }
  }

  private void proceed(Command command) {
    if (isWritten) {
      readBack(command);
    } else {
      write(command);
    }
  }

  /** Refuses a command that has become too old; whether it has. */
  private boolean refusesOld(Command command) {
    if (!isOld(command)) {
      return false;
    }
    Span span = command.writes().get(index).span();
    if (isWritten) {
      refuse(
          command,
          "%s was written, but not read back in time: %s".formatted(span, age(command)),
          true);
    } else if (isUncertain) {
      refuse(
          command,
          "%s was sent, but not confirmed, and is not sent again: %s".formatted(span, age(command)),
          true);
    } else {
      refuse(command, age(command), true);
    }
    return true;
  }

  private void write(Command command) {
    Link used = link;
    if (used == null || refusesOld(command)) {
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
            if (!(outcome instanceof Outcome.Answered)) {
              notWritten(command, write, outcome);
            } else if (settings.readBack()) {
              isWritten = true;
              readBack(command);
            } else {
              written(command);
            }
          }
        });
  }

  private void readBack(Command command) {
    Link used = link;
    if (used == null) {
      return;
    }
    Command.Write write = command.writes().get(index);
    int of = connection;
    used.read(
        command.unit(),
        write.span(),
        outcome -> {
          if (of == connection) {
            if (!(outcome instanceof Outcome.Answered(byte[] values))) {
              notReadBack(command, write, outcome);
            } else if (write.isReadAs(values)) {
              written(command);
            } else if (rewrites++ < settings.maxRetries()) {
              isWritten = false;
              isUncertain = true;
              write(command);
            } else {
              refuse(
                  command,
                  "%s was written %d times and is still read back as something else"
                      .formatted(write.span(), rewrites));
            }
          }
        });
  }

  private void written(Command command) {
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
    if (!more && settings.readBack()) {
      command.awaited().ifPresent(Awaited::confirmed);
    }
    if (wasStuck) {
      reports.warn("%s takes commands again".formatted(settings.endpoint().name()));
    }
    if (more) {
      beginRequest(index + 1);
      write(command);
    } else {
      next();
    }
  }

  private void notWritten(Command command, Command.Write write, Outcome outcome) {
    isUncertain |= !(outcome instanceof Outcome.Refused(int code) && code == Outcome.Refused.BUSY);
    switch (outcome) {
      case Outcome.Refused refused when !refused.passes() ->
          refuse(command, "%s is answered with %s".formatted(write.span(), refused));
      case Outcome.Refused refused -> retry(command, refused.toString());
      case Outcome.Garbled(byte[] values, String why) -> {
        // Noise passes; a device that answers with something else may always do so.
        if (values.length == 0 || rewrites++ < settings.maxRetries()) {
          retryAnew(command, why);
        } else {
          refuse(command, "%s was written %d times: %s".formatted(write.span(), rewrites, why));
        }
      }
      case Outcome.Lost(String why) -> retryAnew(command, why);
      case Outcome.NoAnswer _ -> retryAnew(command, "no answer");
      case Outcome.Answered _ -> throw new IllegalStateException("an answer is no failure");
    }
  }

  /** The write was answered, so only reading is tried again. */
  private void notReadBack(Command command, Command.Write write, Outcome outcome) {
    String reading = "%s was written; reading it back: %s";
    switch (outcome) {
      case Outcome.Refused refused when !refused.passes() ->
          refuse(command, reading.formatted(write.span(), refused));
      case Outcome.Refused refused -> retry(command, reading.formatted(write.span(), refused));
      case Outcome.Garbled(byte[] _, String why) ->
          retryAnew(command, reading.formatted(write.span(), why));
      case Outcome.Lost(String why) -> retryAnew(command, reading.formatted(write.span(), why));
      case Outcome.NoAnswer _ -> retryAnew(command, reading.formatted(write.span(), "no answer"));
      case Outcome.Answered _ -> throw new IllegalStateException("an answer is no failure");
    }
  }

  private void refuse(Command command, String why) {
    refuse(command, why, false);
  }

  /** Refuses a command, and says what of it was written by the requests before this one. */
  private void refuse(Command command, String why, boolean isLate) {
    String before =
        command.writes().subList(0, index).stream()
            .flatMap(write -> write.columns().stream())
            .map("`%s`"::formatted)
            .collect(Collectors.joining(", "));
    String whole = before.isEmpty() ? why : "%s; written before: %s".formatted(why, before);
    lock.lock();
    try {
      refusals.add(new Refusal(command, whole, isLate));
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
    loop.schedule(() -> attempt(command), settings.link().pauses().delay(++failures).toNanos());
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
    int left;
    lock.lock();
    try {
      awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      left = queue.size();
      queue.clear();
      lock.unlock();
    }
    if (left > 0) {
      reports.warn("%d commands were not written".formatted(left));
    }
    loop.execute(this::disconnect);
    loop.close();
  }

  /** Waits while commands are written; the lock is held. */
  private void awaitEnd() throws InterruptedException {
    long nanos = settings.link().connectTimeout().toNanos();
    while (!queue.isEmpty() && !stuck && nanos > 0 && loop.failure() == null) {
      nanos = changed.awaitNanos(nanos);
    }
  }
}
