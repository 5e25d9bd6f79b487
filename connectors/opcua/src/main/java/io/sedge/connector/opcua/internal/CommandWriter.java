package io.sedge.connector.opcua.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Reports;
import io.sedge.engine.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands in their order, in a thread of its own; those for different nodes go together.
 * What the server does not answer is tried again, with growing pauses, until it is answered or too
 * old. What it refuses, or does not keep, is put among the refusals. So each command is written
 * once or more, or refused and said.
 *
 * <p>The methods that are not private may be called from any thread.
 */
final class CommandWriter implements AutoCloseable {
  /** From so many commands that wait on there is no room. */
  static final int CAPACITY = 4_096;

  private static final int PER_REQUEST = 100;

  private final WriteSettings settings;
  private final String table;
  private final Type type;
  private final Reports reports;
  private final Runnable wakeUp;
  private final Greeting greeting;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Command> queue = new ArrayDeque<>();
  private List<Refusal> refusals = new ArrayList<>();
  private long done;
  private long bytes;
  private boolean stuck;
  private boolean closed;
  private @Nullable Throwable failure;

  // What follows belongs to the writer's thread.
  private @Nullable Link link;
  private @Nullable NodeWriter nodes;
  private int failures;

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
   * @param type of the values
   * @param done the sequence up to which there is nothing to do
   */
  CommandWriter(
      String table, WriteSettings settings, Type type, ConnectorContext context, long done) {
    this.table = table;
    this.settings = settings;
    this.type = type;
    this.reports = new Reports(table, context);
    this.wakeUp = context::wakeUp;
    this.greeting = new Greeting(settings.link(), context, reports);
    this.done = done;
    this.thread = Thread.ofPlatform().name("sedge-opcua-" + table).daemon().start(this::run);
  }

  /** What has gone wrong that nobody has foreseen; null as a rule. */
  @Nullable Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
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

  /** The boundary of the thread: whatever nobody has foreseen ends the job. */
  private void run() {
    try {
      while (true) {
        List<Command> next = next();
        if (next.isEmpty()) {
          break;
        }
        write(next);
      }
    } catch (InterruptedException e) {
      // It was closed.
    } catch (Throwable e) {
      lock.lock();
      try {
        failure = e;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
    disconnect();
    wakeUp.run();
  }

  /** The commands that go together, each for another node; none at the end. */
  private List<Command> next() throws InterruptedException {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed) {
        changed.await();
      }
      List<Command> next = new ArrayList<>();
      Set<String> taken = new HashSet<>();
      for (Command command : queue) {
        if (next.size() == PER_REQUEST || !taken.add(command.node())) {
          break;
        }
        next.add(command);
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Writes commands until all of them are through. */
  private void write(List<Command> commands) throws InterruptedException {
    List<Command> open = new ArrayList<>(commands);
    while (!open.isEmpty()) {
      for (Iterator<Command> each = open.iterator(); each.hasNext(); ) {
        Command command = each.next();
        if (command.value() == null) {
          each.remove();
        } else if (isOld(command)) {
          refuse(command, age(command), true);
          each.remove();
        }
      }
      String why = "";
      try {
        if (!open.isEmpty()) {
          why = attempt(open);
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        Failures.checkForeseen(e);
        why = Failures.text(e, settings.link().login());
        if (Failures.isLogin(e)) {
          throw new ConnectorException(
              ConnectorException.Kind.EXTERNAL,
              "table %s: %s: %s".formatted(table, settings.link().url(), why),
              e);
        }
        disconnect();
      }
      finish(commands, open);
      if (!open.isEmpty()) {
        pause(why);
      }
    }
  }

  /**
   * Writes once; what is through is taken from the list.
   *
   * @return why some are not
   */
  private String attempt(List<Command> open) throws Exception {
    NodeWriter writer = connected();
    String why = "";
    List<NodeWriter.Answer> answers = writer.write(open, settings.readBack());
    for (NodeWriter.Answer answer : answers) {
      switch (answer) {
        case NodeWriter.Written(Command command, int size) -> {
          count(size);
          if (settings.readBack()) {
            command.awaited().ifPresent(Awaited::confirmed);
          }
          var _ = open.remove(command);
        }
        case NodeWriter.Refused(Command command, String reason) -> {
          refuse(command, reason, false);
          var _ = open.remove(command);
        }
        case NodeWriter.Later(Command _, String reason) -> why = reason;
      }
    }
    if (why.isEmpty()) {
      failures = 0;
      regained();
    }
    return why;
  }

  private NodeWriter connected() throws Exception {
    if (link == null || nodes == null) {
      Link made = Link.open(table, settings.link(), greeting);
      link = made;
      nodes = new NodeWriter(made, type, ServerLimits.of(made));
    }
    return nodes;
  }

  private void disconnect() {
    if (link != null) {
      link.close();
    }
    link = null;
    nodes = null;
  }

  private boolean isOld(Command command) {
    long age = Math.max(0, reports.nowMicros() - command.givenMicros());
    boolean old =
        settings.maxAge().isPresent()
            && age > TimeUnit.NANOSECONDS.toMicros(settings.maxAge().get().toNanos());
    return old || isOver(command);
  }

  private static boolean isOver(Command command) {
    return command.awaited().filter(Awaited::isOver).isPresent();
  }

  private static String age(Command command) {
    String old =
        isOver(command)
            ? "its time is over"
            : "it was given at %s, longer ago than 'sink.max-age'"
                .formatted(Reports.time(command.givenMicros()));
    return command.isSent
        ? "%s was sent, but not confirmed, and is not sent again: %s".formatted(command.node(), old)
        : old;
  }

  private void count(int size) {
    lock.lock();
    try {
      bytes += size;
    } finally {
      lock.unlock();
    }
  }

  private void refuse(Command command, String why, boolean isLate) {
    lock.lock();
    try {
      refusals.add(new Refusal(command, why, isLate));
    } finally {
      lock.unlock();
    }
  }

  /** Those before the first that is open are through. */
  private void finish(List<Command> commands, List<Command> open) {
    lock.lock();
    try {
      long before = open.isEmpty() ? Long.MAX_VALUE : open.getFirst().sequence();
      long last = commands.getLast().sequence();
      while (!queue.isEmpty()
          && queue.peek().sequence() < before
          && queue.peek().sequence() <= last) {
        done = queue.remove().sequence();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    wakeUp.run();
  }

  private void regained() {
    boolean was;
    lock.lock();
    try {
      was = stuck;
      stuck = false;
    } finally {
      lock.unlock();
    }
    if (was) {
      reports.warn("%s takes commands again".formatted(settings.link().url()));
    }
  }

  private void pause(String why) throws InterruptedException {
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
          "%s takes no commands: %s; it is tried again".formatted(settings.link().url(), why));
    }
    Thread.sleep(settings.link().pauses().delay(++failures));
  }

  /**
   * Writes what waits, as long as the server answers and for the connection's time-out at most;
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
      closed = true;
      left = queue.size();
      changed.signalAll();
      lock.unlock();
    }
    if (left > 0) {
      thread.interrupt();
      reports.warn("%d commands were not written".formatted(left));
      lock.lock();
      try {
        queue.clear();
      } finally {
        lock.unlock();
      }
    }
    try {
      var _ = thread.join(settings.link().requestTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits while commands are written; the lock is held. */
  private void awaitEnd() throws InterruptedException {
    long nanos = settings.link().connectTimeout().toNanos();
    while (!queue.isEmpty() && !stuck && nanos > 0 && failure == null) {
      nanos = changed.awaitNanos(nanos);
    }
  }
}
