package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.DeviceState;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When the waiting for a device's tasks to go ends, and what it says meanwhile. */
@Timeout(60)
class DrainWaitTest {
  private final CommandRunner runner = new CommandRunner(Path.of("."));
  private final Deque<SiteStatus> coming = new ArrayDeque<>();

  /** A site whose device b has tasks of the job plant. */
  private static SiteStatus site(DeviceState state, String... shards) {
    DeviceStatus device = SiteStatuses.device("b", state, true, false, shards.length);
    List<TaskStatus> tasks =
        Arrays.stream(shards)
            .map(shard -> new TaskStatus("plant", shard, "b", 1, 1, 0, 0, 0, ""))
            .toList();
    return SiteStatuses.site(List.of(device), tasks);
  }

  /** Lets the site be so one after the other, and the last one for ever. */
  private void await(SiteStatus... states) throws SiteException, InterruptedException {
    coming.addAll(List.of(states));
    new DrainWait(runner.surroundings())
        .until(
            new DrainWait.Site() {
              @Override
              public SiteStatus status() {
                return coming.size() > 1 ? coming.removeFirst() : coming.getFirst();
              }

              @Override
              public String why(String job, String shard) {
                return "no other device has the label of %s/%s".formatted(job, shard);
              }
            },
            "b");
  }

  @Test
  void itSaysWhichTasksAreLeftWhenThatChangesAndEndsWhenNoneIs() throws Exception {
    await(
        site(DeviceState.DRAINING, "p", "q", "r", "s"),
        site(DeviceState.DRAINING, "p", "q", "r", "s"),
        site(DeviceState.DRAINING, "q"),
        site(DeviceState.DRAINING));
    assertThat(runner.err().lines())
        .containsExactly(
            "sedge: device b has 4 tasks left: plant/p, plant/q, plant/r, …",
            "sedge: device b has 1 task left: plant/q");
  }

  @Test
  void whyATaskStaysIsSaidWhenNothingChanges() throws Exception {
    SiteStatus[] states = new SiteStatus[DrainWait.LOOKS_BEFORE_WHY + 3];
    Arrays.fill(states, site(DeviceState.DRAINING, "q"));
    states[states.length - 1] = site(DeviceState.DRAINING);
    await(states);
    assertThat(runner.err().lines())
        .containsExactly(
            "sedge: device b has 1 task left: plant/q", "no other device has the label of plant/q");
  }

  /** A script that waits must not switch the machine off as if it had no tasks. */
  @Test
  void whoWaitsNoLongerIsToldThatItIsStillBeingDrained() throws Exception {
    Thread ctrlC = Thread.ofPlatform().start(runner::interrupt);
    assertThatThrownBy(() -> await(site(DeviceState.DRAINING, "q")))
        .isInstanceOf(SiteException.class)
        .hasMessage("device b is drained further, and has 1 task; nobody waits for it any longer");
    ctrlC.join();
  }

  @Test
  void aDeviceThatIsUsedAgainIsNotWaitedFor() {
    assertThatThrownBy(() -> await(site(DeviceState.ACTIVE, "q")))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("is used again");
  }
}
