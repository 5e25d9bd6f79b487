package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Measures;
import io.sedge.placement.Health;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Who is taken for alive, told from reports, ports and who has led, four times a second. Long
 * because each of these changes what the others mean.
 */
class LivenessTest {
  private static final long MILLI = 1_000_000;

  private final List<CompletableFuture<Boolean>> asked = new ArrayList<>();
  private boolean leads = true;
  private boolean answers = true;
  private final PlayedPeers peers = new PlayedPeers(name -> name.equals("other") && answers);
  private final Liveness liveness = new Liveness("self", peers, this::ask);
  private final Map<String, Long> heard = new LinkedHashMap<>(Map.of("self", 0L, "other", 0L));
  private Silence silence = new Silence(1_000 * MILLI);
  private boolean stopped;
  private long now = -5_000 * MILLI;

  private void pass(int times, String... reporting) {
    for (int i = 0; i < times; i++) {
      now += 250 * MILLI;
      List.of(reporting).forEach(name -> heard.merge(name, 1L, Long::sum));
      List<Device> devices = new ArrayList<>();
      heard.forEach(
          (name, count) ->
              devices.add(
                  device(name, DeviceState.ACTIVE, count, stopped && !name.equals("self"))));
      liveness.update(devices, silence, now);
    }
  }

  /** Both are there, and have been for longer than a start takes. */
  private void begin() {
    pass(42, "self", "other");
  }

  /** Both are there; then nobody leads for some quarters of a second, and this one does. */
  private void beginToLeadAfter(int quarters) {
    begin();
    pass(quarters);
    liveness.beginToLead(now);
  }

  private CompletableFuture<Boolean> ask(String address) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    asked.add(answer);
    return answer;
  }

  /** What who leads does in each turn. */
  private void check(boolean otherStopped) {
    liveness.checkOverdue(
        List.of(
            device("self", DeviceState.ACTIVE, 1),
            device("other", DeviceState.ACTIVE, 1, otherStopped)),
        leads,
        now);
  }

  private static Device device(String name, DeviceState state, long heard) {
    return device(name, state, heard, false);
  }

  private static Device device(String name, DeviceState state, long heard, boolean stopped) {
    return new Device(name, "", state, Map.of(), Measures.NONE, heard, 0, stopped);
  }

  private Health other(DeviceState state) {
    return liveness.health(device("other", state, 1));
  }

  @Test
  void aDeviceThatIsSilentIsSuspectThenGoneAndComesBack() {
    begin();
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(2, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.SUSPECT);
    assertThat(other(DeviceState.DRAINING)).isEqualTo(Health.DRAINING);
    pass(2, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    assertThat(other(DeviceState.DRAINING)).isEqualTo(Health.GONE);
    assertThat(liveness.silentNanos(device("other", DeviceState.ACTIVE, 0)))
        .isEqualTo(1_000 * MILLI);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(other(DeviceState.EXPELLED)).isEqualTo(Health.GONE);
  }

  @Test
  void aLedgerThatStandsStillMakesNobodyGone() {
    begin();
    pass(40);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE))
        .as("its report comes a moment later")
        .isNotEqualTo(Health.GONE);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
  }

  /** How long the other one is silent before it is taken for gone, in quarters of a second. */
  private int quartersUntilGone() {
    int quarters = 0;
    while (other(DeviceState.ACTIVE) != Health.GONE) {
      pass(1, "self");
      quarters++;
      assertThat(quarters).isLessThan(100);
    }
    return quarters;
  }

  /** Of an overloaded machine: it would be gone and back with each late report. */
  @Test
  void aDeviceWhoseReportCameLateIsWaitedForThatMuchLonger() {
    begin();
    pass(5, "self");
    assertThat(other(DeviceState.ACTIVE)).as("the first time").isEqualTo(Health.GONE);
    pass(1, "self", "other");
    pass(5, "self");
    assertThat(other(DeviceState.ACTIVE)).as("the second time").isEqualTo(Health.SUSPECT);
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).as("1.5 times 1.5 s").isEqualTo(9);
  }

  @Test
  void eachLateReportCountsForAMinuteTheLongestOfThemFirst() {
    begin();
    pass(9, "self");
    pass(1, "self", "other");
    pass(120, "self", "other");
    pass(5, "self");
    pass(1, "self", "other");
    pass(60, "self", "other");
    assertThat(quartersUntilGone()).as("1.5 times 2.5 s").isEqualTo(15);
    pass(40, "self", "other");
    assertThat(quartersUntilGone()).as("1.5 times 1.5 s").isEqualTo(9);
    pass(3, "self");
    pass(242, "self", "other");
    assertThat(quartersUntilGone()).as("nothing but the silence").isEqualTo(4);
  }

  /** Killed, stopped, or cut off: the next time it is to be noticed as fast. */
  @Test
  void anOutageTeachesNothing() {
    begin();
    pass(11, "self");
    begin();
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  /** While a leader is elected nobody can report, and some are heard later than others then. */
  @Test
  void lateReportsAfterTheLedgerStoodStillTeachNothing() {
    begin();
    pass(6);
    pass(3, "self");
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void aStopAndAStartAreNoLateness() {
    begin();
    stopped = true;
    pass(1, "self", "other");
    pass(7, "self");
    stopped = false;
    begin();
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  /** After its lease a device has ended its tasks, so there is nothing to wait for. */
  @Test
  void nobodyIsWaitedForBeyondTheLease() {
    begin();
    pass(10, "self");
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).as("4 s, not 1.5 times 2.75 s").isEqualTo(16);
  }

  @Test
  void theSilenceIsWhatTheSiteSaysNow() {
    begin();
    silence = new Silence(500 * MILLI);
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(2);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    silence = new Silence(10_000 * MILLI);
    assertThat(quartersUntilGone()).isEqualTo(40);
    assertThat(silence.leaseNanos()).isEqualTo(20_000 * MILLI);
  }

  /** What was a late report for a patient site may be an outage for one that is not. */
  @Test
  void whatWasLearnedUnderAnotherSilenceIsForgotten() {
    silence = new Silence(5_000 * MILLI);
    begin();
    pass(39, "self");
    pass(1, "self", "other");
    silence = new Silence(1_000 * MILLI);
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  /** With the shortest silence that may be set, it takes two reports in a row to be missing. */
  @Test
  void aDeviceIsNotSuspectBetweenTwoReports() {
    silence = new Silence(Limit.SILENCE_MILLIS.min() * MILLI);
    begin();
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  @Test
  void aDeviceIsGoneWhenItsReportIsOverdueAndItsPortRefuses() {
    begin();
    check(false);
    pass(1, "self");
    check(false);
    assertThat(asked).as("while its report may still come").isEmpty();
    pass(1, "self");
    check(false);
    check(false);
    assertThat(asked).hasSize(1);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.SUSPECT);
    asked.getFirst().complete(true);
    check(false);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    assertThat(liveness.refuses(device("other", DeviceState.ACTIVE, 1))).isTrue();
    check(false);
    pass(8, "self");
    check(false);
    assertThat(asked).as("who is gone is not asked again").hasSize(1);
    pass(1, "self", "other");
    check(false);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(asked).hasSize(1);
  }

  /** A firewall that rejects new connections only must not move tasks with each late report. */
  @Test
  void whoReportsSoonAfterItsPortRefusedIsNotTakenForGoneAgainForThat() {
    begin();
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    pass(1, "self", "other");
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.SUSPECT);
    pass(241, "self", "other");
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).as("after a minute").isEqualTo(Health.GONE);
  }

  @Test
  void whoWasStartedAgainAfterItsPortRefusedIsBelievedTheNextTime() {
    begin();
    refuse("self");
    pass(4, "self");
    pass(1, "self", "other");
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** Its report is overdue, and its port refuses. */
  private void refuse(String... reporting) {
    pass(2, reporting);
    check(false);
    asked.getLast().complete(true);
    check(false);
  }

  @Test
  void aDeviceThatListensIsWaitedForAndAskedAgain() {
    silence = new Silence(2_000 * MILLI);
    begin();
    for (int quarter = 0; quarter < 8; quarter++) {
      assertThat(other(DeviceState.ACTIVE)).isNotEqualTo(Health.GONE);
      pass(1, "self");
      check(false);
      asked.forEach(answer -> answer.complete(false));
      check(false);
    }
    assertThat(other(DeviceState.ACTIVE)).as("after its silence").isEqualTo(Health.GONE);
    assertThat(asked).hasSize(2);
  }

  /** As while most of a site has no power: for days, and each asks all others. */
  @Test
  void aDeviceThatListensIsAskedMoreAndMoreRarelyUntilItReports() {
    begin();
    List<Integer> quarters = new ArrayList<>();
    for (int quarter = 1; quarter <= 120; quarter++) {
      pass(1);
      int before = asked.size();
      check(false);
      if (asked.size() > before) {
        quarters.add(quarter);
      }
      asked.forEach(answer -> answer.complete(false));
      check(false);
    }
    assertThat(quarters).containsExactly(2, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 84, 104);
    begin();
    asked.clear();
    pass(2);
    check(false);
    assertThat(asked).as("as soon as at first").hasSize(1);
  }

  /** As when its leader was killed: the new one need not wait for what only time can tell. */
  @Test
  void aRefusalCountsWhileTheLedgerStandsStill() {
    begin();
    refuse();
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** As when the leader was killed just after it had sent one: it comes when the next one leads. */
  @Test
  void aReportThatCameThroughAfterTheLedgerStoodStillIsOlderThanARefusal() {
    begin();
    refuse();
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).as("that one is newer").isEqualTo(Health.UP);
  }

  @Test
  void aReportThatCameThroughAfterTheLedgerStoodStillIsOlderThanAQuestion() {
    begin();
    pass(2);
    check(false);
    pass(1, "self", "other");
    asked.getFirst().complete(true);
    check(false);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** As when the leader has died: whoever leads next knows it at once. */
  @Test
  void whoDoesNotLeadAsksWhileTheLedgerStandsStill() {
    leads = false;
    begin();
    pass(2, "self");
    check(false);
    assertThat(asked).as("while somebody leads").isEmpty();
    begin();
    refuse();
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    liveness.beginToLead(now);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** On a busy machine it takes the others a while to find the new leader. */
  @Test
  void whoBeginsToLeadWaitsAnewForThoseWhoWereThere() {
    beginToLeadAfter(3);
    pass(1);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  /** As the leader before, that has lost its power. */
  @Test
  void whoBeginsToLeadDoesNotWaitAnewForWhoDoesNotAnswer() {
    answers = false;
    beginToLeadAfter(3);
    pass(1);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isNotEqualTo(Health.GONE);
    assertThat(quartersUntilGone()).isEqualTo(2);
  }

  /** An election alone takes as long as the shortest silence. */
  @Test
  void whoBeginsToLeadWaitsForTheOthersWhereSilenceIsShort() {
    silence = new Silence(500 * MILLI);
    beginToLeadAfter(2);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isNotEqualTo(Health.GONE);
    assertThat(quartersUntilGone()).isEqualTo(2);
  }

  @Test
  void whoDoesNotAnswerYetIsLeftHalfOfASilenceThatIsShort() {
    silence = new Silence(500 * MILLI);
    answers = false;
    beginToLeadAfter(2);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isNotEqualTo(Health.GONE);
    assertThat(quartersUntilGone()).isEqualTo(1);
  }

  /** As when many processes begin to talk to the new leader at once. */
  @Test
  void whoAnswersLaterIsWaitedForFromThenOn() {
    answers = false;
    beginToLeadAfter(3);
    pass(1);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isNotEqualTo(Health.GONE);
    answers = true;
    pass(1, "self");
    assertThat(quartersUntilGone()).isEqualTo(4);
    answers = false;
    liveness.beginToLead(now);
    pass(4, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    answers = true;
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).as("a report brings it back").isEqualTo(Health.GONE);
  }

  @Test
  void whoBeginsToLeadDoesNotTakeTheDeadForTheLiving() {
    begin();
    pass(4, "self");
    liveness.beginToLead(now);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  @Test
  void whoBeginsToLeadWaitsNoLongerForWhoHasNeverReported() {
    heard.put("other", 7L);
    pass(20, "self");
    liveness.beginToLead(now);
    assertThat(quartersUntilGone()).isEqualTo(21);
  }

  /** Lets some milliseconds pass, and takes a turn. */
  private void turn(int millis) {
    now += millis * MILLI;
    check(false);
  }

  /** What the other one's port says from now on, to all who ask. */
  private void answerAll(boolean refuses) {
    asked.forEach(answer -> answer.complete(refuses));
    asked.clear();
  }

  /** Long before its report is overdue: with its process its connections end. */
  @Test
  void aDeviceWhoseConnectionAndProcessHaveEndedIsGoneAtOnce() {
    begin();
    liveness.alarm(now);
    turn(40);
    assertThat(asked).hasSize(1);
    answerAll(true);
    turn(1);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** A member that connects and leaves all the time has nobody asked all the time. */
  @Test
  void alarmsOneAfterTheOtherTakeATenthOfTheTime() {
    begin();
    int alarmed = 0;
    for (int turn = 0; turn < 1_000; turn++) {
      liveness.alarm(now);
      alarmed += liveness.isAlarmed(now) ? 1 : 0;
      now += 100 * MILLI;
    }
    assertThat(alarmed).isBetween(100, 140);
    now += 30_000 * MILLI;
    liveness.alarm(now);
    assertThat(liveness.isAlarmed(now + 290 * MILLI)).as("after some quiet").isTrue();
    assertThat(liveness.isAlarmed(now + 300 * MILLI)).isFalse();
  }

  /** The next report of one that runs comes a second later, and is seen when this device looks. */
  @Test
  void aDeviceThatReportsSeldomIsNotTakenForOneThatHasStartedAnew() {
    silence = new Silence(4_000 * MILLI);
    begin();
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    pass(5, "self");
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    assertThat(other(DeviceState.ACTIVE)).as("its port is not believed").isEqualTo(Health.UP);
  }

  /** It reports once a second until it knows that the site waits no longer than that now. */
  @Test
  void nobodyIsGoneBecauseTheSiteIsToWaitForLessFromNowOn() {
    silence = new Silence(4_000 * MILLI);
    begin();
    pass(3, "self");
    silence = new Silence(1_000 * MILLI);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void whoIsGoneStaysGoneWhenTheSiteIsToWaitForLess() {
    silence = new Silence(4_000 * MILLI);
    begin();
    pass(20, "self");
    silence = new Silence(1_000 * MILLI);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** Whoever leads next has been told at the same moment, and has to know as well. */
  @Test
  void whoFollowsLearnsOfItToo() {
    leads = false;
    begin();
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** The port of a process that is ending may be open for a moment. */
  @Test
  void aPortIsAskedAgainForAMomentAndNoLonger() {
    begin();
    liveness.alarm(now);
    turn(40);
    answerAll(false);
    turn(1);
    turn(40);
    assertThat(asked).hasSize(1);
    answerAll(false);
    turn(1);
    turn(300);
    turn(40);
    assertThat(asked).as("after the alarm").isEmpty();
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(liveness.isAlarmed(now)).isFalse();
  }

  /** A connection was broken, and a firewall refuses new ones: the process runs and reports. */
  @Test
  void aDeviceThatIsTakenForGoneByABrokenConnectionIsBackWithItsReportAndBelievedNextTime() {
    begin();
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    assertThat(other(DeviceState.ACTIVE)).as("its port is not believed").isEqualTo(Health.UP);
  }

  /** The last report of a process that has ended may be read after its port was asked. */
  @Test
  void aReportThatWasUnderWayMakesNoProcessAliveThatHasEnded() {
    begin();
    liveness.alarm(now);
    turn(40);
    answerAll(true);
    turn(1);
    now -= 200 * MILLI;
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  /** What is decided while it stands still would be carried out when it is wrong. */
  @Test
  void nothingIsDecidedWhileTheLedgerStandsStill() {
    pass(1, "self", "other");
    assertThat(liveness.isCurrent(now)).as("others had no time to report").isFalse();
    pass(2, "self", "other");
    assertThat(liveness.isCurrent(now)).isTrue();
    pass(2);
    assertThat(liveness.isCurrent(now)).isTrue();
    pass(1);
    assertThat(liveness.isCurrent(now)).isFalse();
    liveness.beginToLead(now);
    assertThat(liveness.isCurrent(now)).as("a majority is there").isTrue();
    pass(3);
    assertThat(liveness.isCurrent(now)).isFalse();
    pass(1, "self");
    assertThat(liveness.isCurrent(now)).isTrue();
  }

  /** It may have been started again meanwhile. */
  @Test
  void anAnswerThatComesAfterAReportCountsForNothing() {
    begin();
    pass(2, "self");
    check(false);
    pass(1, "self", "other");
    asked.getFirst().complete(true);
    check(false);
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
  }

  @Test
  void whoWasStoppedOrIsThisDeviceIsNotAsked() {
    begin();
    pass(8);
    check(true);
    assertThat(asked).isEmpty();
  }

  /** With its power back a whole site starts, and not all of it at the same moment. */
  @Test
  void whoHasNotReportedSinceThisDeviceWasStartedKeepsItsTasksForAWhile() {
    heard.put("other", 7L);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).as("gets none").isEqualTo(Health.SUSPECT);
    assertThat(liveness.isUp(device("other", DeviceState.ACTIVE, 7))).isFalse();
    pass(39, "self");
    check(false);
    assertThat(asked).as("it may be about to listen").isEmpty();
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.SUSPECT);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
    pass(1, "self", "other");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.UP);
    assertThat(liveness.isUp(device("other", DeviceState.ACTIVE, 8))).isTrue();
    assertThat(quartersUntilGone()).as("it starts").isEqualTo(8);
  }

  @Test
  void aStartThatTookAWhileIsNoLateness() {
    heard.put("other", 7L);
    pass(9, "self");
    begin();
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  /** Was away, and has come back. */
  private void comeBack() {
    begin();
    pass(20, "self");
    pass(1, "self", "other");
  }

  /** It compiles, opens and catches up, and its tasks are not to go back and forth meanwhile. */
  @Test
  void aDeviceThatHasComeBackIsWaitedForTwiceAsLong() {
    comeBack();
    assertThat(quartersUntilGone()).isEqualTo(8);
  }

  @Test
  void howLongItIsWaitedForFollowsFromItsLastReport() {
    silence = new Silence(6_000 * MILLI);
    begin();
    pass(80, "self");
    pass(39, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(48);
  }

  @Test
  void tenSecondsLaterItIsADeviceLikeOthers() {
    comeBack();
    pass(40, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void aLateReportOfADeviceThatHasComeBackTeachesNothing() {
    comeBack();
    pass(6, "self");
    begin();
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void aReportThatComesLaterThanThatIsLearned() {
    comeBack();
    pass(9, "self");
    begin();
    assertThat(quartersUntilGone()).as("1.5 times 2.5 s").isEqualTo(15);
  }

  @Test
  void whoseProcessHadEndedHasComeBackHoweverSoon() {
    begin();
    refuse("self");
    pass(4, "self");
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(8);
  }

  @Test
  void whoWasStoppedHasComeBackHoweverSoon() {
    begin();
    stopped = true;
    pass(1, "self", "other");
    stopped = false;
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(8);
  }

  /** Of a site of two, one had no power for a while. */
  @Test
  void whoComesAfterTheLedgerStoodStillForLongHasComeBack() {
    begin();
    pass(40);
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(8);
  }

  @Test
  void aNewcomerIsStarting() {
    pass(1, "self");
    pass(1, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(8);
  }

  /** It has reported all the time, and this device did not look. */
  @Test
  void whoIsHeardAtOnceWasThereBefore() {
    pass(2, "self", "other");
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void whoseProcessHasEndedWhileItWasStartingIsGoneAtOnce() {
    comeBack();
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  @Test
  void whoHasLedSinceThisDeviceWasStartedIsNoneThatMayBeBeingStarted() {
    peers.led.add("other");
    heard.put("other", 7L);
    pass(1, "self");
    assertThat(other(DeviceState.ACTIVE)).as("gets none").isEqualTo(Health.SUSPECT);
    assertThat(quartersUntilGone()).isEqualTo(4);
  }

  @Test
  void whoHasLedIsAskedWhenItsReportIsOverdue() {
    peers.led.add("other");
    heard.put("other", 7L);
    pass(1, "self");
    refuse("self");
    assertThat(other(DeviceState.ACTIVE)).isEqualTo(Health.GONE);
  }

  @Test
  void thisDeviceIsUpFromItsFirstReportOn() {
    pass(1, "self");
    assertThat(liveness.health(device("self", DeviceState.ACTIVE, 1))).isEqualTo(Health.UP);
  }

  /** What one device shows says nothing of another. */
  @Test
  void whatOneDeviceShowedHoldsForThatOneOnly() {
    heard.put("third", 0L);
    pass(42, "self", "other", "third");
    pass(9, "self", "other");
    pass(1, "self", "other", "third");
    assertThat(quartersUntilGone()).isEqualTo(4);
  }
}
