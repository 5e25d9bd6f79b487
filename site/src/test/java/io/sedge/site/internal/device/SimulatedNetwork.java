package io.sedge.site.internal.device;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.CommandBytes;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A deterministic model of replication: one log, and a copy of the state on each device that lags
 * behind it. What a device sends comes late, in order, sometimes twice; what is answered comes
 * later still; a device that is cut off neither sends nor hears. While no majority of them is there
 * nothing enters the log.
 */
final class SimulatedNetwork {
  private static final int MAX_WAITING = 64;

  /** A copy that is made anew begins with so many entries less at most. */
  private static final int SNAPSHOT_ENTRIES = 50;

  private final Random random;
  private final StateMachine machine = new StateMachine();
  private final List<byte[]> log = new ArrayList<>();
  private final Consumer<RowBlock> results;
  private byte[] snapshot = new byte[0];
  private int snapshotIndex;
  private long producers;
  private long lastResult;

  /** Whether what devices send is taken. */
  boolean majority = true;

  /**
   * @param results is told each block of result rows once, when it is committed
   */
  SimulatedNetwork(Random random, Consumer<RowBlock> results) {
    this.random = random;
    this.results = results;
    takeSnapshot();
  }

  /** The state after all of the log. */
  SiteState state() {
    return machine.state();
  }

  /** A command of somebody who is nearer than all devices. */
  Answer command(Command command) {
    return append(new Envelope(9, log.size(), 1, List.of(command)).encode()).answers().getFirst();
  }

  private Answers append(byte[] envelope) {
    log.add(envelope);
    Answers answers = apply(machine, log.size());
    if (log.size() - snapshotIndex >= SNAPSHOT_ENTRIES) {
      takeSnapshot();
    }
    for (String job : machine.state().jobs().stream().map(known -> known.name()).toList()) {
      for (RowBlock block :
          machine.state().rows(job, Channel.OUTBOX, lastResult, Integer.MAX_VALUE)) {
        lastResult = block.last();
        results.accept(block);
      }
    }
    return answers;
  }

  private void takeSnapshot() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      machine.writeSnapshot(bytes);
      snapshot = bytes.toByteArray();
      snapshotIndex = log.size();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Answers apply(StateMachine target, int index) {
    try {
      return target.apply(index, Envelope.decode(log.get(index - 1)));
    } catch (MalformedException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Sent(byte[] envelope, CompletableFuture<Answer> future) {}

  private record Told(Command command, CompletableFuture<Answer> future) {}

  private record Arrived(CompletableFuture<Answer> future, Answer answer) {}

  private record Reading(long index, Runnable read) {}

  /** One process's copy. */
  final class Member implements Ledger {
    private final StateMachine copy = new StateMachine();
    private final long producer = ++producers;
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final Deque<Told> told = new ArrayDeque<>();
    private final Deque<Arrived> arrived = new ArrayDeque<>();
    private long toldVersion;
    private final List<Reading> readings = new ArrayList<>();
    private long sequence;
    private int applied;
    boolean cutOff;

    /** Whether what is committed does not come to its copy, as on a full disk. */
    boolean stuck;

    /** Begins with the last snapshot: what was entered since comes to it again. */
    Member() {
      try {
        copy.readSnapshot(new ByteArrayInputStream(snapshot));
        applied = snapshotIndex;
      } catch (IOException | MalformedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      if (sent.size() >= MAX_WAITING) {
        return CompletableFuture.completedFuture(new Answer.Refused(Refusal.BUSY, MAX_WAITING));
      }
      int limit = copy.state().limits().commitBytes();
      if (command instanceof Command.Commit commit
          && CommandBytes.forParts(commit).length > limit) {
        return CompletableFuture.completedFuture(new Answer.Refused(Refusal.TOO_LARGE, limit));
      }
      CompletableFuture<Answer> future = new CompletableFuture<>();
      sent.add(new Sent(new Envelope(1, producer, ++sequence, List.of(command)).encode(), future));
      return future;
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
      if (told.size() >= MAX_WAITING) {
        return CompletableFuture.completedFuture(new Answer.Refused(Refusal.BUSY, MAX_WAITING));
      }
      CompletableFuture<Answer> future = new CompletableFuture<>();
      told.add(new Told(command, future));
      return future;
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(copy.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long index, Function<? super SiteState, ? extends T> query) {
      CompletableFuture<T> future = new CompletableFuture<>();
      readings.add(new Reading(index, () -> future.complete(query.apply(copy.state()))));
      return future;
    }

    /** What is under way of a process that has died may still arrive. */
    void step() {
      if (cutOff) {
        return;
      }
      while (majority && !sent.isEmpty() && random.nextInt(3) > 0) {
        Sent next = sent.removeFirst();
        Answer answer = append(next.envelope()).answers().getFirst();
        if (random.nextInt(10) == 0) {
          Answer again = append(next.envelope()).answers().getFirst();
          if (!again.equals(answer)) {
            throw new AssertionError("%s, and repeated %s".formatted(answer, again));
          }
        }
        arrived.add(new Arrived(next.future(), answer));
      }
      while (majority && !told.isEmpty() && random.nextInt(3) > 0) {
        Told next = told.removeFirst();
        arrived.add(new Arrived(next.future(), machine.tell(next.command())));
        learn();
      }
      for (int i = random.nextInt(30); i > 0 && !stuck && applied < log.size(); i--) {
        apply(copy, ++applied);
      }
    }

    /** Takes what all have told, which comes with the answer. */
    private void learn() {
      try {
        toldVersion = copy.learn(machine.toldSince(toldVersion));
      } catch (MalformedException e) {
        throw new AssertionError(e);
      }
    }

    /** Lets the process hear what has come. */
    void hear() {
      while (!arrived.isEmpty() && random.nextInt(3) > 0) {
        Arrived next = arrived.removeFirst();
        next.future().complete(next.answer());
      }
      List<Reading> due = readings.stream().filter(reading -> reading.index() <= applied).toList();
      readings.removeAll(due);
      due.forEach(reading -> reading.read().run());
    }
  }
}
