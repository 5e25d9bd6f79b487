package io.sedge.connector.courier;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.courier.Outgoing.Step;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When rows are committed, and how many of them at once. The clock stands until it is moved. */
final class OutgoingTest {
  private record Rows(long last, int size) implements Shipment {
    @Override
    public long payloadBytes() {
      return 8L * size;
    }

    @Override
    public long bytes() {
      return 100L * size;
    }
  }

  private final TestContext context = new TestContext(Path.of("."));

  private Outgoing<Rows> outgoing(int startRows, long queueBytes) {
    return new Outgoing<>(
        new Rhythm(queueBytes, queueBytes, startRows, 10_000, Optional.of(Duration.ofSeconds(1))),
        context::nanoTime,
        0);
  }

  /** The sequences that are sent up to the next commit. */
  private static List<Long> sent(Outgoing<Rows> outgoing) throws InterruptedException {
    List<Long> sent = new ArrayList<>();
    while (true) {
      switch (outgoing.next()) {
        case Step.Send<Rows>(Rows rows) -> sent.add(rows.last());
        case Step.Commit<Rows>(long last) -> {
          assertThat(last).isEqualTo(sent.getLast());
          return sent;
        }
        case Step.End<Rows>() -> {
          assertThat(sent).isEmpty();
          return sent;
        }
      }
    }
  }

  @Test
  void aCommitOfTheJobHasAllThatWaitsCommitted() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(1_000, 1 << 20);
    outgoing.add(new Rows(5, 5));
    outgoing.add(new Rows(7, 2));
    assertThat(outgoing.flush()).isZero();
    assertThat(sent(outgoing)).containsExactly(5L, 7L);
    outgoing.settle(7);
    assertThat(outgoing.flush()).isEqualTo(7);
    assertThat(outgoing.shipments()).isZero();
  }

  @Test
  void whatIsNotKnownToBeThereIsSentAgain() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(1_000, 1 << 20);
    outgoing.add(new Rows(5, 5));
    outgoing.add(new Rows(7, 2));
    outgoing.flush();
    assertThat(sent(outgoing)).containsExactly(5L, 7L);
    outgoing.rewind(5);
    assertThat(sent(outgoing)).containsExactly(7L);
    assertThat(outgoing.flush()).isEqualTo(5);
  }

  @Test
  void rowsThatCameAfterTheJobHasAskedDoNotHoldUpItsCommit() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(0, 1 << 20);
    outgoing.add(new Rows(5, 5));
    outgoing.flush();
    outgoing.add(new Rows(7, 2));
    assertThat(sent(outgoing)).containsExactly(5L);
  }

  @Test
  void enoughRowsOrTimeDoSoUnasked() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(10, 1 << 20);
    outgoing.add(new Rows(4, 4));
    outgoing.add(new Rows(10, 6));
    assertThat(sent(outgoing)).containsExactly(4L, 10L);
    outgoing.settle(10);
    outgoing.add(new Rows(11, 1));
    context.pass(1_000);
    assertThat(sent(outgoing)).containsExactly(11L);
  }

  @Test
  void aCommitTakesWholeBatchesUpToItsBound() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(1, 1 << 30);
    for (int batch = 1; batch <= 3; batch++) {
      outgoing.add(new Rows(batch * 4_096L, 4_096));
    }
    assertThat(sent(outgoing)).containsExactly(4_096L, 8_192L);
    outgoing.settle(8_192);
    assertThat(sent(outgoing)).containsExactly(12_288L);
  }

  @Test
  void aFullQueueTakesNothingMoreAndIsCommitted() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(0, 1_000);
    assertThat(outgoing.hasRoom()).isTrue();
    outgoing.add(new Rows(10, 10));
    assertThat(outgoing.hasRoom()).isFalse();
    assertThat(sent(outgoing)).containsExactly(10L);
    outgoing.settle(10);
    assertThat(outgoing.hasRoom()).isTrue();
  }

  @Test
  void aFarEndThatIsAskedAndTakesNothingIsStuck() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(0, 1 << 20);
    outgoing.add(new Rows(1, 1));
    context.pass(10_000);
    assertThat(outgoing.stuckNanos()).as("nobody has asked").isZero();
    outgoing.flush();
    assertThat(outgoing.stuckNanos()).isEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(sent(outgoing)).containsExactly(1L);
    outgoing.settle(1);
    assertThat(outgoing.stuckNanos()).isZero();
  }

  @Test
  void whatWaitsAtTheEndIsCommittedAndThenNothing() throws InterruptedException {
    Outgoing<Rows> outgoing = outgoing(1_000, 1 << 20);
    outgoing.add(new Rows(3, 3));
    outgoing.close();
    assertThat(sent(outgoing)).containsExactly(3L);
    outgoing.settle(3);
    assertThat(sent(outgoing)).isEmpty();
  }
}
