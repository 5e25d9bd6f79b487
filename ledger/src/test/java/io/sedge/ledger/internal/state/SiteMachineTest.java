package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

/** Random commands, against a model that keeps everything in the simplest way. */
class SiteMachineTest {
  private static final int STEPS = 3_000;

  private static byte[] snapshot(SiteMachine machine) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.writeSnapshot(bytes);
    return bytes.toByteArray();
  }

  private static SiteMachine restored(byte[] snapshot) throws IOException, MalformedException {
    SiteMachine machine = new SiteMachine();
    machine.readSnapshot(new ByteArrayInputStream(snapshot));
    return machine;
  }

  /** A member that restarts from a snapshot now and then must not differ from one that does not. */
  @RepeatedTest(10)
  void membersThatApplyTheSameLogHaveTheStateOfTheModel() throws Exception {
    Random random = RandomCommands.random();
    SiteMachine machine = new SiteMachine();
    SiteMachine other = new SiteMachine();
    Model model = new Model();
    RandomCommands commands = new RandomCommands(random, machine);
    int done = 0;
    for (int step = 1; step <= STEPS; step++) {
      Command command = commands.next();
      Envelope envelope = new Envelope(7, random.nextInt(3), step, List.of(command));
      Answers answers = machine.apply(step, Envelope.decode(envelope.encode()));
      assertThat(other.apply(step, Envelope.decode(envelope.encode()))).isEqualTo(answers);
      assertThat(Answers.decode(answers.encode())).isEqualTo(answers);
      done += answers.answers().getFirst() instanceof Answer.Done ? 1 : 0;
      model.follow(command, answers.answers().getFirst());
      if (step % 50 == 0) {
        model.check(machine);
      }
      if (random.nextInt(200) == 0) {
        byte[] snapshot = snapshot(machine);
        other = restored(snapshot);
        assertThat(snapshot(other)).isEqualTo(snapshot);
      }
    }
    model.check(machine);
    assertThat(snapshot(other)).isEqualTo(snapshot(machine));
    assertThat(done).as("the commands are not all refused").isGreaterThan(STEPS / 10);
  }

  /** What a producer repeats, because it got no answer, must not be carried out again. */
  @RepeatedTest(5)
  void anEnvelopeThatArrivesAgainIsCarriedOutOnceAndAnsweredTheSame() throws Exception {
    Random random = RandomCommands.random();
    SiteMachine once = new SiteMachine();
    SiteMachine again = new SiteMachine();
    RandomCommands commands = new RandomCommands(random, once);
    long index = 0;
    List<Envelope> sent = new ArrayList<>();
    for (int step = 1; step <= 1_000; step++) {
      List<Command> several = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        several.add(commands.next());
      }
      Envelope envelope = new Envelope(1, 2, step, several);
      sent.add(envelope);
      index++;
      Answers answers = once.apply(index, envelope);
      assertThat(again.apply(index, envelope)).isEqualTo(answers);
      if (random.nextBoolean()) {
        index++;
        once.advance(index);
        assertThat(again.apply(index, envelope)).as("the last one, again").isEqualTo(answers);
      }
      if (random.nextBoolean() && sent.size() > 1) {
        index++;
        once.advance(index);
        Envelope late = sent.get(random.nextInt(sent.size() - 1));
        assertThat(again.apply(index, late).answers()).allMatch(Answer.Repeated.class::isInstance);
      }
    }
    assertThat(snapshot(again)).isEqualTo(snapshot(once));
  }

  /** A commit that comes in parts has the effect of the same commit in one piece. */
  @RepeatedTest(5)
  void aCommitInPartsIsTheSameCommit() throws Exception {
    Random random = RandomCommands.random();
    SiteMachine whole = new SiteMachine();
    SiteMachine inParts = new SiteMachine();
    RandomCommands commands = new RandomCommands(random, whole);
    long index = 0;
    for (int step = 0; step < 500; step++) {
      Command command = commands.next();
      List<Command> pieces =
          command instanceof Command.Commit commit && mayBeInParts(commit, whole)
              ? parts(commit, random)
              : List.of(command);
      index += pieces.size();
      Answer expected = apply(whole, index, command);
      Answer last = expected;
      for (int i = 0; i < pieces.size(); i++) {
        last = apply(inParts, index - pieces.size() + i + 1, pieces.get(i));
        if (last instanceof Answer.Refused || last instanceof Answer.Repeated) {
          inParts.advance(index + 1);
          whole.advance(++index);
          break;
        }
      }
      assertThat(last.getClass()).isEqualTo(expected.getClass());
      inParts.checkInvariants();
      assertThat(snapshotWithoutProducers(inParts)).isEqualTo(snapshotWithoutProducers(whole));
    }
  }

  private static boolean mayBeInParts(Command.Commit commit, SiteMachine machine) {
    return CommandCodec.encodeCommit(commit).length <= machine.limits().commitBytes();
  }

  private static List<Object> snapshotWithoutProducers(SiteMachine machine) {
    List<Object> all = new ArrayList<>();
    all.add(machine.devices());
    all.add(machine.jobs());
    all.add(machine.tasks());
    for (var task : machine.tasks()) {
      for (var entry : machine.state(task.id())) {
        all.add(Arrays.toString(entry.getKey()) + Arrays.toString(entry.getValue()));
      }
    }
    return all;
  }

  private static Answer apply(SiteMachine machine, long index, Command command) {
    return machine.apply(index, new Envelope(0, index, 1, List.of(command))).answers().getFirst();
  }

  private static List<Command> parts(Command.Commit commit, Random random) {
    byte[] bytes = CommandCodec.encodeCommit(commit);
    int count = 1 + random.nextInt(Math.min(5, bytes.length));
    List<Command> parts = new ArrayList<>();
    TaskId task = commit.task();
    for (int i = 0; i < count; i++) {
      byte[] part =
          Arrays.copyOfRange(
              bytes,
              (int) ((long) bytes.length * i / count),
              (int) ((long) bytes.length * (i + 1) / count));
      parts.add(new Command.CommitPart(task, commit.epoch(), commit.sequence(), i, count, part));
    }
    return parts;
  }
}
