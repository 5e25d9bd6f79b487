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

  @Test
  void aPositionForgetsAFormerProcessOnceTheBrokerMustHaveHeard() {
    Inbox inbox = new Inbox(SETTINGS);
    byte[] position = committed();
    inbox.seek(position);
    for (int i = 3; i < 6; i++) {
      offer(inbox, message(i, false, "new" + i));
      drain(inbox);
      inbox.acknowledge(inbox.position());
    }
    assertThat(inbox.position().length).isLessThan(position.length);
    assertThat(acknowledged).containsExactly("new3", "new4", "new5");
  }
}
