package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The site's state machine with a deterministic model of replication: commands of each device wait,
 * are applied later, sometimes twice, and their answers come later still.
 */
final class SimulatedLedger {
  private static final int MAX_WAITING = 6;

  private final Random random;
  private final StateMachine machine = new StateMachine();
  private long index;
  private long producers;

  SimulatedLedger(Random random) {
    this.random = random;
  }

  StateMachine machine() {
    return machine;
  }

  Answer apply(Command command) {
    index++;
    return machine.apply(index, new Envelope(0, index, 1, List.of(command))).answers().getFirst();
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Waiting(byte[] envelope, CompletableFuture<Answer> future) {}

  private record Answered(CompletableFuture<Answer> future, Answer answer) {}

  /** One process's way to the ledger. */
  final class Device implements Ledger {
    private final long producer = ++producers;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final Deque<Answered> answered = new ArrayDeque<>();
    private long sequence;
    private boolean dead;

    @Override
    public CompletableFuture<Answer> submit(Command command) {
      if (waiting.size() >= MAX_WAITING) {
        return CompletableFuture.completedFuture(new Answer.Refused(Refusal.BUSY, MAX_WAITING));
      }
      CompletableFuture<Answer> future = new CompletableFuture<>();
      byte[] envelope = new Envelope(1, producer, ++sequence, List.of(command)).encode();
      waiting.add(new Waiting(envelope, future));
      return future;
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
      return CompletableFuture.completedFuture(machine.tell(command));
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(machine.state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long at, Function<? super SiteState, ? extends T> query) {
      assertThat(at).isLessThanOrEqualTo(machine.state().appliedIndex());
      return CompletableFuture.completedFuture(query.apply(machine.state()));
    }

    /** The process ends; what it had sent may still arrive, nobody hears the answers. */
    void kill() {
      dead = true;
    }

    /** Lets something happen. */
    void step() {
      if (!waiting.isEmpty() && random.nextInt(3) == 0) {
        Waiting next = waiting.removeFirst();
        Answer answer = apply(next);
        if (random.nextInt(4) == 0) {
          assertThat(apply(next)).as("a repetition").isEqualTo(answer);
        }
        answered.add(new Answered(next.future(), answer));
      }
      if (!answered.isEmpty() && !dead && random.nextInt(3) == 0) {
        Answered next = answered.removeFirst();
        next.future().complete(next.answer());
      }
    }

    private Answer apply(Waiting next) {
      try {
        index++;
        Answers answers = machine.apply(index, Envelope.decode(next.envelope()));
        return answers.answers().getFirst();
      } catch (MalformedException e) {
        throw new AssertionError(e);
      }
    }
  }

  Device device() {
    return new Device();
  }
}
