package io.sedge.connector.mqtt.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.connector.mqtt.internal.Inbox.Delivery;
import io.sedge.connector.mqtt.internal.Inbox.Outcome;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.mqtt.Incoming;
import io.sedge.mqtt.PacketIdentity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InboxTest {
  private static final SourceSettings SETTINGS =
      new SourceSettings(1, false, 3600, null, 100, 100, 1 << 20, 1 << 20, false);

  private final List<String> acknowledged = new ArrayList<>();

  private Incoming message(int packet, boolean duplicate, String payload) {
    return message(1, packet, duplicate, payload);
  }

  private Incoming message(int qos, int packet, boolean duplicate, String payload) {
    return Incoming.of(
        new Incoming.Header("plant/a", qos, false, null, ""),
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

  /**
   * A broker that counts up has used all identifiers after 65,535 messages. What it had under way
   * when a reader died comes with DUP, and was never received, although a message of the round
   * before had its identifier.
   */
  @Test
  void whatComesInTheNextRoundOfIdentifiersIsNotTakenForWhatWasCommittedInTheLast() {
    byte[] position = committed();
    int next = 3;
    for (int reader = 0; reader < 40; reader++) {
      Inbox inbox = new Inbox(SETTINGS);
      inbox.seek(position);
      int end = next + 5_000;
      for (int i = next; i < end; i++) {
        boolean underWay = i < next + 30;
        assertThat(offer(inbox, message((i - 1) % 65_535 + 1, underWay, "m" + i)))
            .as("message %d, reader %d", i, reader)
            .isNotEqualTo(Outcome.REPEATED);
        if (i % 50 == 0) {
          assertThat(drain(inbox)).isNotEmpty();
          position = inbox.position();
          inbox.acknowledge(position);
        }
      }
      drain(inbox);
      position = inbox.position();
      next = end;
    }
  }

  @Test
  void itIsKnownStillWhenTheNextProcessDiesToo() {
    byte[] position = committed();
    for (int process = 0; process < 3; process++) {
      Inbox inbox = new Inbox(SETTINGS);
      inbox.seek(position);
      assertThat(inbox.position()).isEqualTo(position);
      offer(inbox, message(1, true, "one"));
      offer(inbox, message(2, true, "two"));
      for (int before = 0; before < process; before++) {
        offer(inbox, message(3 + before, true, "new" + before));
      }
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

  /** Mosquitto, QoS 2: the one between them was connected and heard nothing. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTheBrokerWasToldOfIsKnownStillIfItComesAgainToALaterProcess(boolean secondComes) {
    Inbox next = new Inbox(SETTINGS);
    next.seek(committed());
    if (secondComes) {
      assertThat(offer(next, message(2, true, "two"))).isEqualTo(Outcome.REPEATED);
    }
    offer(next, message(3, false, "three"));
    assertThat(drain(next)).containsExactly("three");
    Inbox last = new Inbox(SETTINGS);
    last.seek(next.position());
    assertThat(offer(last, message(1, true, "one"))).isEqualTo(Outcome.REPEATED);
    assertThat(offer(last, message(2, true, "two"))).isEqualTo(Outcome.REPEATED);
    assertThat(offer(last, message(3, true, "three"))).isEqualTo(Outcome.REPEATED);
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

  /** A broker that uses the lowest free identifier, and a topic whose value stays. */
  @Test
  void theLastMessageOfTheFormerIsANewOneOnceItIsClearThatNothingComesAgain() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    assertThat(offer(inbox, message(3, true, "three"))).isEqualTo(Outcome.FIRST);
    assertThat(offer(inbox, message(2, true, "two"))).isEqualTo(Outcome.QUEUED);
    assertThat(drain(inbox)).containsExactly("three", "two");
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
      for (int packet = 3; packet < 8; packet++) {
        assertThat(offer(next, message(packet, true, "m" + packet))).isEqualTo(Outcome.REPEATED);
      }
    }
  }

  @Test
  void aPositionDoesNotGrowForEver() {
    Inbox inbox = new Inbox(SETTINGS);
    assertThat(afterMany(inbox, 1, 65_535)).hasSizeLessThan(60);
    assertThat(afterMany(inbox, 7, 65_535)).hasSizeLessThan(300);
    assertThat(afterMany(new Inbox(SETTINGS), 1, 50)).hasSizeLessThan(250);
  }

  /** The position after messages whose identifiers go up by a step, up to a limit. */
  private byte[] afterMany(Inbox inbox, int step, int limit) {
    byte[] position = {};
    for (int i = 0; i < 100_000; i++) {
      offer(inbox, message(1 + i * step % limit, false, "m" + i));
      if (i % 50 == 49) {
        assertThat(drain(inbox)).hasSize(50);
        position = inbox.position();
        inbox.acknowledge(position);
      }
    }
    return position;
  }

  @Test
  void whatComesAgainIsAcknowledgedAtOnceAndWhatIsNewIsReadAtOnce() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    assertThat(offer(inbox, message(2, true, "two"))).isEqualTo(Outcome.REPEATED);
    assertThat(acknowledged).containsExactly("two");
    assertThat(offer(inbox, message(3, true, "three"))).isEqualTo(Outcome.FIRST);
    assertThat(drain(inbox)).containsExactly("three");
  }

  /** HiveMQ uses the lowest free identifier, and sends nothing more until it is acknowledged. */
  @Test
  void aReaderThatTakesOverDoesNotWaitToTellNewMessagesWithOldIdentifiers() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    assertThat(offer(inbox, message(1, true, "newer one"))).isEqualTo(Outcome.FIRST);
    assertThat(drain(inbox)).containsExactly("newer one");
    assertThat(offer(inbox, message(2, true, "newer two"))).isEqualTo(Outcome.FIRST);
    assertThat(drain(inbox)).containsExactly("newer two");
    assertThat(acknowledged).isEmpty();
  }

  /** A sensor whose value stays, beside one whose value changes; no reading has a time. */
  @Test
  void anEqualMessageIsANewOneWhereAnotherHasShownThatNothingComesAgain() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    offer(inbox, message(1, true, "newer one"));
    offer(inbox, message(2, true, "two"));
    assertThat(drain(inbox)).containsExactly("newer one", "two");
    inbox.disconnected();
    assertThat(offer(inbox, message(1, true, "newer one"))).isEqualTo(Outcome.REPEATED);
    assertThat(offer(inbox, message(2, true, "two"))).isEqualTo(Outcome.REPEATED);
  }

  @Test
  void equalMessagesThatAreSentOnceEachCountOnceEach() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    for (int i = 0; i < 3; i++) {
      offer(inbox, message(1, false, "one"));
      assertThat(drain(inbox)).containsExactly("one");
      inbox.acknowledge(inbox.position());
    }
  }

  /** A time that the publisher gives in a user property tells equal payloads apart. */
  @Test
  void userPropertiesTellMessagesApart() {
    Inbox former = new Inbox(SETTINGS);
    offer(former, message(1, false, "on", "[(at, 1)]"));
    assertThat(drain(former)).containsExactly("on");
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(former.position());
    assertThat(offer(inbox, message(1, true, "on", "[(at, 1)]"))).isEqualTo(Outcome.REPEATED);
    assertThat(offer(inbox, message(1, true, "on", "[(at, 2)]"))).isEqualTo(Outcome.FIRST);
  }

  private static Incoming message(
      int packet, boolean duplicate, String payload, String properties) {
    return Incoming.of(
        new Incoming.Header("plant/a", 1, false, null, properties),
        payload.getBytes(UTF_8),
        PacketIdentity.identity(packet, duplicate),
        () -> {});
  }

  /** More than have a tag; the last ones are the newest commit's, of which nothing was told. */
  @Test
  void thousandsThatWereCommittedAtOnceAreAllKnown() {
    int count = 3 * PacketTrail.MAX_TAGGED;
    SourceSettings large =
        new SourceSettings(1, false, 3600, null, count, count, 1 << 30, 1 << 20, false);
    Inbox former = new Inbox(large);
    offerMany(former, 1, count);
    former.drain(new ArrayList<>(), count, Long.MAX_VALUE, 0);
    byte[] position = former.position();
    assertThat(position).hasSizeLessThan(PacketTrail.MAX_TAGGED * Integer.BYTES + 30);
    Inbox inbox = new Inbox(large);
    inbox.seek(position);
    for (int packet = 1; packet <= count; packet++) {
      assertThat(offer(inbox, message(packet, true, "m" + packet))).isEqualTo(Outcome.REPEATED);
    }
    assertThat(acknowledged).hasSize(count);
    assertThat(offer(inbox, message(count + 1, true, "new"))).isEqualTo(Outcome.FIRST);
  }

  /** As of a link that breaks again and again before an acknowledgement comes through. */
  @Test
  void whatSeveralReadersCommittedOfWhichTheBrokerHeardNothingIsAllKnown() {
    byte[] position = committed();
    int packet = 3;
    for (int life = 0; life < 100; life++) {
      Inbox inbox = new Inbox(SETTINGS);
      inbox.seek(position);
      offerMany(inbox, packet, 50);
      packet += 50;
      drain(inbox);
      position = inbox.position();
    }
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(position);
    for (int again = 3; again < packet; again++) {
      assertThat(offer(inbox, message(again, true, "m" + again))).isEqualTo(Outcome.REPEATED);
    }
  }

  /** All that a reader has on its way may be sent again to the one after the next. */
  @Test
  void aConnectionThatBreaksWhileMessagesComeAgainCountsNothingTwice() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    offer(inbox, message(1, true, "one"));
    inbox.disconnected();
    Inbox next = new Inbox(SETTINGS);
    next.seek(inbox.position());
    for (Inbox either : List.of(inbox, next)) {
      offer(either, message(1, true, "one"));
      offer(either, message(2, true, "two"));
      offer(either, message(3, false, "three"));
      assertThat(drain(either)).containsExactly("three");
    }
  }

  /** Its task counts nothing of that. */
  @Test
  void whatComesAfterItWasClosedIsNotAcknowledged() {
    Inbox inbox = new Inbox(SETTINGS);
    inbox.seek(committed());
    assertThat(offer(inbox, message(1, true, "one"))).isEqualTo(Outcome.REPEATED);
    inbox.close();
    assertThat(offer(inbox, message(2, true, "two"))).isEqualTo(Outcome.REFUSED);
    assertThat(acknowledged).containsExactly("one");
  }

  /** Else the task would sleep on what came while it looked away. */
  @Test
  void whatWaitedForRoomIsTheFirstIfTheTaskHasTakenAllMeanwhile() throws Exception {
    Inbox inbox =
        new Inbox(new SourceSettings(1, false, 3600, null, 100, 1, 1 << 20, 1 << 20, false));
    assertThat(offer(inbox, message(1, false, "one"))).isEqualTo(Outcome.FIRST);
    FutureTask<Outcome> second = new FutureTask<>(() -> offer(inbox, message(2, false, "two")));
    Thread thread = Thread.ofPlatform().start(second);
    Await.until(
        Duration.ofSeconds(60), () -> thread.getState() == Thread.State.WAITING, thread::getState);
    assertThat(drain(inbox)).containsExactly("one");
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(Outcome.FIRST);
    assertThat(drain(inbox)).containsExactly("two");
  }

  private void offerMany(Inbox inbox, int first, int count) {
    for (int packet = first; packet < first + count; packet++) {
      offer(inbox, message(packet, false, "m" + packet));
    }
  }

  @Test
  void aCommitIsWantedOnceTheBrokerMayWaitForItUntilOneIsMade() {
    Inbox inbox = new Inbox(SETTINGS);
    offerMany(inbox, 1, SendWindow.LEAST - 1);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isFalse();
    offerMany(inbox, SendWindow.LEAST, 1);
    assertThat(inbox.wantsCommit()).as("what was not polled cannot be committed").isFalse();
    drain(inbox);
    assertThat(inbox.wantsCommit()).isTrue();
    inbox.position();
    assertThat(inbox.wantsCommit()).isFalse();
  }

  /** Else a job over a fast broker would make a commit for each ten messages. */
  @Test
  void theBrokerIsKnownToSendAsManyAsItHasSentBeforeUpToHalfOfWhatItMay() {
    Inbox inbox = new Inbox(SETTINGS);
    offerMany(inbox, 1, 30);
    drain(inbox);
    inbox.acknowledge(inbox.position());
    offerMany(inbox, 31, 29);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isFalse();
    offerMany(inbox, 60, 1);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isTrue();
    offerMany(inbox, 61, 60);
    drain(inbox);
    inbox.acknowledge(inbox.position());
    offerMany(inbox, 121, 49);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isFalse();
    offerMany(inbox, 170, 1);
    drain(inbox);
    assertThat(inbox.wantsCommit()).as("half of the receive maximum of 100").isTrue();
  }

  /** Else its own limit would bound how many messages come between two usual commits, for ever. */
  @Test
  void aBrokerThatHasOnceSentMoreThanItsLimitIsKnownByItsWaitingAgainAndAgain() {
    Inbox inbox = new Inbox(SETTINGS);
    offerMany(inbox, 1, 40);
    drain(inbox);
    inbox.acknowledge(inbox.position());
    for (int commit = 0; commit < SendWindow.SAME; commit++) {
      offerMany(inbox, 41, 20);
      drain(inbox);
      assertThat(inbox.wantsCommit()).isFalse();
      inbox.acknowledge(inbox.position());
    }
    offerMany(inbox, 41, 20);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isTrue();
  }

  /** Mosquitto 2.0 sends again what was under way, and as much new on top. */
  @Test
  void whatAConnectionSendsAgainDoesNotTellWhatTheBrokerMaySend() {
    Inbox inbox = new Inbox(SETTINGS);
    offerMany(inbox, 1, 20);
    inbox.disconnected();
    for (int packet = 1; packet <= 20; packet++) {
      offer(inbox, message(packet, true, "m" + packet));
    }
    for (int packet = 21; packet <= 40; packet++) {
      offer(inbox, message(packet, true, "m" + packet));
    }
    drain(inbox);
    inbox.acknowledge(inbox.position());
    offerMany(inbox, 41, SendWindow.LEAST);
    drain(inbox);
    assertThat(inbox.wantsCommit()).isTrue();
  }

  @Test
  void aCommitIsWantedWhenHalfOfTheBytesThatMayBeHeldWaitForIt() {
    Inbox inbox =
        new Inbox(new SourceSettings(1, false, 3600, null, 100, 100, 4000, 1 << 20, false));
    offer(inbox, message(1, false, "x".repeat(1000)));
    drain(inbox);
    assertThat(inbox.wantsCommit()).isFalse();
    offer(inbox, message(2, false, "x".repeat(1000)));
    drain(inbox);
    assertThat(inbox.wantsCommit()).isTrue();
  }

  /** Nobody waits for their acknowledgement. */
  @Test
  void messagesOfQos0WantNoCommit() {
    Inbox inbox = new Inbox(SETTINGS);
    for (int i = 0; i < 90; i++) {
      offer(inbox, message(0, 0, false, "m" + i));
    }
    assertThat(drain(inbox)).hasSize(90);
    assertThat(inbox.wantsCommit()).isFalse();
  }

  @Test
  void aPositionOfAnotherKindIsRefused() {
    Inbox inbox = new Inbox(SETTINGS);
    byte[] position = committed();
    assertThatIllegalArgumentException().isThrownBy(() -> inbox.seek(new byte[9]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inbox.seek(Arrays.copyOf(position, position.length - 1)));
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
