package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.ProcessUse;
import io.sedge.site.internal.files.JobFiles;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a device says of itself, in virtual time. */
class AgentTest {
  private final SimulatedNetwork network = new SimulatedNetwork(new Random(3), _ -> {});
  private final SimulatedNetwork.Member member = network.new Member();
  private final List<String> said = new ArrayList<>();
  private final DeviceLog log =
      new DeviceLog(InstantSource.system(), line -> said.add(line.message()));
  private Agent agent;
  private long now;

  @BeforeEach
  void device() {
    assertThat(network.command(new Command.RegisterDevice("a", "", Map.of())))
        .isInstanceOf(Answer.Done.class);
    network.command(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 4_000L)));
    JobCatalog catalog =
        new JobCatalog(
            (_, _, _) -> {
              throw new IllegalStateException("there is no job");
            },
            JobFiles.NONE,
            Runnable::run,
            Runnable::run,
            log);
    TaskHost host =
        (_, _, _, _) -> {
          throw new IllegalStateException("there is no task");
        };
    agent =
        new Agent(
            member,
            "a",
            catalog,
            host,
            new Meter(() -> 1, 64 << 20, _ -> ProcessUse.UNKNOWN),
            log,
            InstantSource.system());
  }

  /** Lets time pass; how often the device has reported meanwhile. */
  private long reports(int seconds) {
    long before = heard();
    for (int turn = 0; turn < seconds * 20; turn++) {
      now += 50_000_000;
      member.step();
      member.hear();
      agent.doWork(now, false);
    }
    return heard() - before;
  }

  private long heard() {
    return network.state().device("a").map(Device::heard).orElseThrow();
  }

  /** A device at rest wakes up for that, and nothing else. */
  @Test
  void itReportsOnceASecond() {
    assertThat(reports(10)).isBetween(9L, 11L);
  }

  /** Three reports may be lost, however short the silence is that the site allows. */
  @Test
  void itReportsAsOftenAsTheSilenceThatIsAllowedAsksFor() {
    network.command(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 1_000L)));
    reports(1);
    assertThat(reports(10)).isBetween(36L, 44L);
    network.command(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 60_000L)));
    reports(1);
    assertThat(reports(10)).isBetween(9L, 11L);
  }

  /**
   * Its commits would be taken, but it would never see the rows that its tasks wait for. While
   * nothing is committed there is nothing that it could miss.
   */
  @Test
  void aDeviceWhoseCopyOfTheLedgerStandsStillIsSilentUntilItGoesOn() {
    assertThat(reports(2)).isPositive();
    member.stuck = true;
    network.command(new Command.RegisterDevice("b", "b:1", Map.of()));
    assertThat(reports(10)).isLessThanOrEqualTo(2);
    member.stuck = false;
    assertThat(reports(10)).isBetween(9L, 11L);
  }

  /** Else others give it tasks at once, which stand still until it knows what there is. */
  @Test
  void aDeviceThatHasStartedIsSilentUntilItsCopyOfTheLedgerIsWhole() {
    member.stuck = true;
    assertThat(reports(10)).isZero();
    assertThat(agent.isCaughtUp()).isFalse();
    member.stuck = false;
    assertThat(reports(2)).isPositive();
    assertThat(agent.isCaughtUp()).isTrue();
  }

  /** As on a machine that was suspended: others may have its tasks, if there are others. */
  @Test
  void afterItStoodStillItsTasksStopOnlyWhereOthersCouldHaveThem() {
    reports(1);
    now += 10_000_000_000L;
    reports(1);
    assertThat(said).isEmpty();
    assertThat(network.command(new Command.RegisterDevice("b", "", Map.of())))
        .isInstanceOf(Answer.Done.class);
    reports(1);
    now += 10_000_000_000L;
    reports(1);
    assertThat(said)
        .containsExactly("the ledger has not answered for 8 s; tasks stop here until it does");
    said.clear();
    assertThat(network.command(new Command.SetDeviceState("b", DeviceState.EXPELLED)))
        .isInstanceOf(Answer.Done.class);
    reports(1);
    now += 10_000_000_000L;
    reports(1);
    assertThat(said).isEmpty();
  }
}
