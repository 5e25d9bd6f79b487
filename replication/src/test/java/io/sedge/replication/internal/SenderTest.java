package io.sedge.replication.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes into an envelope: entries cost every member the more the more there are. */
class SenderTest {
  private static final Command REPORT = new Command.ReportDevice("a", 1, false);
  private static final Answer DONE = new Answer.Done(1, 0);
  private static final int MAX_BYTES = 100;
  private static final Duration FOREVER = Duration.ofDays(1);

  /** Of the test. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final BlockingQueue<List<Command>> sent = new LinkedBlockingQueue<>();
  private @Nullable Sender sender;

  private static Command acknowledgement(long upTo) {
    return new Command.AcknowledgeRows("plant", Channel.OUTBOX, upTo);
  }

  private Answers deliver(byte[] envelope) {
    try {
      List<Command> commands = Envelope.decode(envelope).commands();
      sent.add(commands);
      return new Answers(1, Collections.nCopies(commands.size(), DONE));
    } catch (MalformedException e) {
      throw new AssertionError(e);
    }
  }

  private Sender start(Duration patience) {
    Sender started = new Sender(this::deliver, MAX_BYTES, patience, "a");
    sender = started;
    started.start();
    return started;
  }

  @AfterEach
  void close() throws InterruptedException {
    if (sender != null) {
      sender.close();
    }
  }

  @Test
  void whatNobodyWaitsForGoesWithTheNextThatSomebodyDoes() throws InterruptedException {
    Sender patient = start(FOREVER);
    var first = patient.submit(acknowledgement(1));
    var second = patient.submit(acknowledgement(2));
    var report = patient.submit(REPORT);
    assertThat(sent.poll(10, SECONDS))
        .containsExactly(acknowledgement(1), acknowledgement(2), REPORT);
    for (CompletableFuture<Answer> answer : List.of(first, second, report)) {
      assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(DONE);
    }
  }

  /** Else what it makes room for could wait for ever, on a device that has nothing to say. */
  @Test
  void whatNobodyWaitsForGoesByItselfInTheEnd() throws InterruptedException {
    var answer = start(Duration.ofMillis(1)).submit(acknowledgement(1));
    assertThat(sent.poll(10, SECONDS)).containsExactly(acknowledgement(1));
    assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(DONE);
  }

  @Test
  void whatSomebodyWaitsForGoesAtOnce() {
    Sender patient = start(FOREVER);
    assertThat(patient.submit(REPORT)).succeedsWithin(PATIENCE).isEqualTo(DONE);
    assertThat(patient.submit(REPORT)).succeedsWithin(PATIENCE).isEqualTo(DONE);
    assertThat(sent).hasSize(2);
  }

  /** A command too large for the room that is left is given again, and must find more then. */
  @Test
  void whatIsInTheWayOfALargerOneGoesAtOnce() {
    Sender patient = start(FOREVER);
    var answer = patient.submit(acknowledgement(1));
    var large = patient.submit(new Command.SubmitJob("plant", "x".repeat(MAX_BYTES)));
    assertThat(large)
        .succeedsWithin(PATIENCE)
        .isEqualTo(new Answer.Refused(Refusal.BUSY, MAX_BYTES));
    assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(DONE);
  }
}
