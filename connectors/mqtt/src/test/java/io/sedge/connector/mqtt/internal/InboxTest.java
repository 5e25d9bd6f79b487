package io.sedge.connector.mqtt.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.internal.Inbox.Delivery;
import io.sedge.connector.mqtt.internal.Inbox.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InboxTest {
  private static final SourceSettings SETTINGS =
      new SourceSettings(1, false, 3600, null, 100, 100, 1 << 20, 1 << 20, false);

  private final List<String> acknowledged = new ArrayList<>();

  private Incoming message(int packet, boolean duplicate, String payload) {
    return Incoming.of(
        new Incoming.Header("plant/a", 1, false, null),
        payload.getBytes(UTF_8),
        PacketIdentity.identity(packet, duplicate),
        () -> acknowledged.add(payload));
  }

  private static Outcome offer(Inbox inbox, Incoming message) {
    return inbox.offer(message, 0);
  }

  private static List<String> drain(Inbox inbox) {
    List<Delivery> drained = new ArrayList<>();
    inbox.drain(drained, 100, Long.MAX_VALUE, 0);
    return drained.stream().map(delivery -> new String(delivery.message.payload(), UTF_8)).toList();
  }

  /** The position of a process that committed two messages and told the broker of neither. */
  private byte[] committed() {
    Inbox former = new Inbox(SETTINGS);
    offer(former, message(1, false, "one"));
    offer(former, message(2, false, "two"));
    assertThat(drain(former)).containsExactly("one", "two");
    return former.position();
  }

  @Test
  void whatAFormerProcessCommittedIsKnownHoweverOftenItComes() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    for (int connection = 0; connection < 3; connection++) {
      assertThat(offer(inbox, message(1, true, "one"))).isEqualTo(Outcome.REPEATED);
      assertThat(offer(inbox, message(2, true, "two"))).isEqualTo(Outcome.REPEATED);
      inbox.disconnected();
    }
    assertThat(acknowledged).hasSize(6);
    assertThat(drain(inbox)).isEmpty();
  }

  @Test
  void itIsKnownStillWhenTheNextProcessDiesToo() {
    byte[] position = committed();
    for (int process = 0; process < 3; process++) {
      Inbox inbox = new Inbox(SETTINGS);
      inbox.seek(position);
      assertThat(inbox.position()).isEqualTo(position);
      offer(inbox, message(3 + process, false, "new" + process));
      assertThat(drain(inbox)).containsExactly("new" + process);
      position = inbox.position();
    }
    Inbox last = new Inbox(SETTINGS);
    last.seek(position);
    assertThat(offer(last, message(1, true, "one"))).isEqualTo(Outcome.REPEATED);
    assertThat(offer(last, message(5, true, "new2"))).isEqualTo(Outcome.REPEATED);
    assertThat(drain(last)).isEmpty();
  }

  @Test
  void anIdentifierThatIsUsedAnewIsANewMessage() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    assertThat(offer(inbox, message(1, false, "one"))).isEqualTo(Outcome.FIRST);
    assertThat(offer(inbox, message(2, true, "other"))).isEqualTo(Outcome.QUEUED);
    assertThat(drain(inbox)).containsExactly("one", "other");
  }

  /** Acknowledging is no proof that the broker has heard of it. */
  @Test
  void acknowledgementsThatNeverArriveCountNothingTwice() {
    byte[] position = committed();
    for (boolean connected : new boolean[] {true, false}) {
      Inbox inbox = new Inbox(SETTINGS);
      inbox.seek(position);
      for (int packet = 3; packet < 8; packet++) {
        offer(inbox, message(packet, false, "m" + packet));
      }
      if (!connected) {
        inbox.disconnected();
      }
      List<Delivery> one = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        inbox.drain(one, 1, Long.MAX_VALUE, 0);
        inbox.acknowledge(inbox.position());
      }
      assertThat(one).hasSize(5);
      Inbox next = new Inbox(SETTINGS);
      next.seek(inbox.position());
      assertThat(offer(next, message(1, true, "one"))).isEqualTo(Outcome.REPEATED);
      for (int packet = 3; packet < 8; packet++) {
        assertThat(offer(next, message(packet, true, "m" + packet))).isEqualTo(Outcome.REPEATED);
      }
    }
  }

  @Test
  void aPositionDoesNotGrowForEver() {
    Inbox inbox = new Inbox(SETTINGS);
    for (int i = 0; i < 100_000; i++) {
      offer(inbox, message(1 + i % 65_535, false, "m" + i));
      assertThat(drain(inbox)).hasSize(1);
      inbox.acknowledge(inbox.position());
    }
    assertThat(inbox.position()).hasSize(9 + 1000 * 6);
    for (int i = 0; i < 100_000; i++) {
      offer(inbox, message(1 + i % 10, false, "m" + i));
      assertThat(drain(inbox)).hasSize(1);
      inbox.acknowledge(inbox.position());
    }
    assertThat(inbox.position()).hasSize(9 + 10 * 6);
  }

  @Test
  void aLostSessionMakesNoRoomThatIsNotThere() {
    SourceSettings small = new SourceSettings(1, false, 3600, null, 100, 100, 4000, 1 << 20, true);
    Inbox inbox = new Inbox(small);
    for (int loss = 0; loss < 3; loss++) {
      for (int i = 1; i <= 20; i++) {
        offer(inbox, message(i, false, "x".repeat(100)));
      }
      inbox.sessionLost();
    }
    int waiting = drain(inbox).size();
    assertThat(waiting).isBetween(5, 20);
    for (int i = 1; i <= 20; i++) {
      offer(inbox, message(i, false, "x".repeat(100)));
    }
    assertThat(drain(inbox)).hasSize(waiting);
  }
}
