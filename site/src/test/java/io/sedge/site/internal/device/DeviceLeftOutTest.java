package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.LeftOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tasks of a device have left out, while they come and go. */
@Timeout(60)
class DeviceLeftOutTest {
  private final DeviceLeftOut leftOut = new DeviceLeftOut();

  private static LeftOut out(String kind, long count) {
    return new LeftOut("pumps", LeftOut.What.PAYLOAD, kind, kind, "", count);
  }

  /** Ends when it is told to have ended. */
  private static final class FakeTask implements IdleTask {
    final List<LeftOut> out = new ArrayList<>();
    Runnable asked = () -> {};
    boolean ended;

    FakeTask(LeftOut... out) {
      this.out.addAll(List.of(out));
    }

    @Override
    public List<LeftOut> leftOut() {
      asked.run();
      return List.copyOf(out);
    }

    @Override
    public boolean hasEnded() {
      return ended;
    }
  }

  private void look() {
    leftOut.retainJobs(Set.of("plant"));
  }

  /** A task that is told to end has rows on their way, of which some may fail. */
  @Test
  void whatATaskLeavesOutWhileItEndsIsCounted() {
    FakeTask task = new FakeTask(out("empty", 1));
    leftOut.started("plant", 1, task);
    look();
    FakeTask next = new FakeTask(out("empty", 4));
    leftOut.started("plant", 1, next);
    task.out.set(0, out("empty", 2));
    task.ended = true;
    look();
    assertThat(leftOut.sum("plant").reasons()).containsExactly(out("empty", 6));
    look();
    assertThat(leftOut.sum("plant").reasons()).as("once").containsExactly(out("empty", 6));
  }

  @Test
  void whatTasksHaveLeftOutThatAreOverHidesNothingThatOthersLeaveOutNow() {
    for (int i = 0; i < DeviceLeftOut.MAX_REASONS_OF_ENDED; i++) {
      FakeTask task = new FakeTask(out("old a" + i, 1), out("old b" + i, 1));
      task.ended = true;
      leftOut.started("plant", 1, task);
    }
    look();
    leftOut.started("plant", 1, new FakeTask(out("present", 1_000)));
    assertThat(leftOut.sum("plant").reasons())
        .hasSize(DeviceLeftOut.MAX_REASONS_OF_ENDED + 1)
        .startsWith(out("present", 1_000));
    assertThat(leftOut.sum("plant").others()).isEqualTo(DeviceLeftOut.MAX_REASONS_OF_ENDED);
  }

  /** The agent's thread has tasks to start, whoever asks what others have left out. */
  @Test
  void whoStartsATaskDoesNotWaitForOneThatIsAsked() {
    FakeTask task = new FakeTask(out("empty", 1));
    task.asked =
        () -> CompletableFuture.runAsync(() -> leftOut.started("plant", 1, new FakeTask())).join();
    leftOut.started("plant", 1, task);
    assertThat(leftOut.sum("plant").reasons()).containsExactly(out("empty", 1));
  }

  @Test
  void anotherScriptAndAJobThatIsRemovedBeginAnew() {
    leftOut.started("plant", 1, new FakeTask(out("empty", 1)));
    leftOut.started("plant", 2, new FakeTask(out("new", 1)));
    assertThat(leftOut.sum("plant").reasons()).containsExactly(out("new", 1));
    leftOut.retainJobs(Set.of());
    assertThat(leftOut.sum("plant").reasons()).isEmpty();
  }
}
