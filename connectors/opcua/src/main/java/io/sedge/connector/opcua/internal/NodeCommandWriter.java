package io.sedge.connector.opcua.internal;

import io.sedge.connector.Awaited;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Reports;
import io.sedge.connector.command.CommandQueue;
import io.sedge.connector.command.CommandWriter;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes commands in their order, in a thread of its own; those for different nodes go together.
 * What the server does not answer is tried again, with growing pauses, until it is answered or too
 * old. What it refuses, or does not keep, is put among the refusals. So each command is written
 * once or more, or refused and said.
 *
 * <p>The methods that are not private may be called from any thread.
 */
final class NodeCommandWriter implements CommandWriter {
  private static final int PER_REQUEST = 100;

  private final WriteSettings settings;
  private final String table;
  private final Type type;
  private final CommandQueue<NodeCommand> queue;
  private final Runnable wakeUp;
  private final Greeting greeting;
  private final Thread thread;
  private volatile @Nullable Throwable failure;

  // What follows belongs to the writer's thread.
  private @Nullable Link link;
  private @Nullable NodeWriter nodes;
  private int failures;

  /**
   * @param type of the values
   */
  NodeCommandWriter(
      String table,
      WriteSettings settings,
      Type type,
      ConnectorContext context,
      Reports reports,
      CommandQueue<NodeCommand> queue) {
    this.table = table;
    this.settings = settings;
    this.type = type;
    this.queue = queue;
    this.wakeUp = context::wakeUp;
    this.greeting = new Greeting(settings.link(), context, reports);
    this.thread = Thread.ofPlatform().name("sedge-opcua-" + table).daemon().start(this::run);
  }

  @Override
  public @Nullable Throwable failure() {
    return failure;
  }

  /** The boundary of the thread: whatever nobody has foreseen ends the job. */
  private void run() {
    try {
      while (true) {
        List<NodeCommand> next = next();
        if (next.isEmpty()) {
          break;
        }
        write(next);
      }
    } catch (InterruptedException e) {
      // It was closed.
    } catch (Throwable e) {
      failure = e;
      queue.signal();
    }
    disconnect();
    wakeUp.run();
  }

  /** The commands that go together, each for another node; none at the end. */
  private List<NodeCommand> next() throws InterruptedException {
    List<NodeCommand> next = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (NodeCommand command : queue.await(PER_REQUEST)) {
      if (!taken.add(command.node())) {
        break;
      }
      next.add(command);
    }
    return next;
  }

  /** Writes commands until all of them are through. */
  private void write(List<NodeCommand> commands) throws InterruptedException {
    List<NodeCommand> open = new ArrayList<>(commands);
    while (!open.isEmpty()) {
      for (Iterator<NodeCommand> each = open.iterator(); each.hasNext(); ) {
        NodeCommand command = each.next();
        if (command.value() == null) {
          each.remove();
        } else if (queue.isOld(command)) {
          queue.refuse(command, age(command), true);
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
      if (open.isEmpty()) {
        queue.finish(commands.getLast());
      } else {
        queue.finishBefore(open.getFirst());
        pause(why);
      }
    }
  }

  /**
   * Writes once; what is through is taken from the list.
   *
   * @return why some are not
   */
  private String attempt(List<NodeCommand> open) throws Exception {
    NodeWriter writer = connected();
    String why = "";
    List<NodeWriter.Answer> answers = writer.write(open, settings.readBack());
    for (NodeWriter.Answer answer : answers) {
      switch (answer) {
        case NodeWriter.Written(NodeCommand command, int size) -> {
          queue.written(size);
          if (settings.readBack()) {
            command.awaited().ifPresent(Awaited::confirmed);
          }
          var _ = open.remove(command);
        }
        case NodeWriter.Refused(NodeCommand command, String reason) -> {
          queue.refuse(command, reason, false);
          var _ = open.remove(command);
        }
        case NodeWriter.Later(NodeCommand _, String reason) -> why = reason;
      }
    }
    if (why.isEmpty()) {
      failures = 0;
      queue.works(settings.link().url());
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

  private String age(NodeCommand command) {
    String old = queue.age(command);
    return command.isSent
        ? "%s was sent, but not confirmed, and is not sent again: %s".formatted(command.node(), old)
        : old;
  }

  private void pause(String why) throws InterruptedException {
    queue.stuck(settings.link().url(), why);
    Thread.sleep(settings.link().pauses().delay(++failures));
  }

  /**
   * Writes what waits, as long as the server answers and for the connection's time-out at most;
   * then ends the thread. What is left is said. May be called again.
   */
  @Override
  public void close() {
    int left = queue.end(settings.link().connectTimeout(), () -> failure != null);
    if (left > 0) {
      thread.interrupt();
    }
    try {
      var _ = thread.join(settings.link().requestTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
