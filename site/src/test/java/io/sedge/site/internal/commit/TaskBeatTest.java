package io.sedge.site.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.task.CommitLog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Three tasks that get fifty readings a second each, on a clock of its own. */
final class TaskBeatTest {
  private static final long MILLI = 1_000_000;
  private static final long INTERVAL_MILLIS = 2_000;
  private static final int TASKS = 3;
  private static final int SECONDS = 120;

  private final Random random = new Random(11);
  private long now = 77_000_000_123L;
  private long wallMillis = 1_770_000_000_500L;
  private final CommitBeat beat =
      new CommitBeat(INTERVAL_MILLIS * MILLI, () -> Instant.ofEpochMilli(wallMillis));
  private final List<Simulated> tasks = Stream.generate(Simulated::new).limit(TASKS).toList();
  private final List<Long> commits = new ArrayList<>();
  private final List<Long> waits = new ArrayList<>();

  /** One that looks for what to do every few milliseconds. */
  private final class Simulated {
    private final TaskBeat times = new TaskBeat(beat);
    private long newsNanos = Long.MIN_VALUE;
    private long rowsNanos = CommitLog.NO_ROWS;
    private int commits;

    void read(boolean reading, boolean row) {
      newsNanos = reading && newsNanos == Long.MIN_VALUE ? now : newsNanos;
      rowsNanos = row && rowsNanos == CommitLog.NO_ROWS ? now : rowsNanos;
    }

    void turn() {
      if (newsNanos == Long.MIN_VALUE || times.untilDue(newsNanos, rowsNanos, now) > 0) {
        return;
      }
      boolean rows = rowsNanos != CommitLog.NO_ROWS;
      times.commit(now);
      commits++;
      TaskBeatTest.this.commits.add(now);
      if (rows) {
        waits.add((now - rowsNanos) / MILLI);
      }
      newsNanos = Long.MIN_VALUE;
      rowsNanos = CommitLog.NO_ROWS;
    }
  }

  /** Whether a task has a row in a millisecond. */
  private interface Rows {
    boolean at(int task, long millis);
  }

  private void run(Rows rows) {
    for (long millis = 0; millis < SECONDS * 1_000; millis++) {
      tick(rows, millis);
    }
  }

  private void tick(Rows rows, long millis) {
    now += MILLI;
    wallMillis++;
    for (int task = 0; task < TASKS; task++) {
      boolean row = rows.at(task, millis);
      tasks.get(task).read(row || random.nextInt(20) == 0, row);
      if (random.nextInt(5) == 0) {
        tasks.get(task).turn();
      }
    }
  }

  /** As the sender of the ledger gathers commits. */
  private int entries() {
    int entries = 0;
    long begun = Long.MIN_VALUE;
    for (long commit : commits) {
      if (begun == Long.MIN_VALUE || commit - begun > 20 * MILLI) {
        entries++;
        begun = commit;
      }
    }
    return entries;
  }

  private int entriesWithoutRows() {
    run((_, _) -> false);
    int entries = entries();
    commits.clear();
    return entries;
  }

  @Test
  void resultsOfWindowsGoSoonAndTogether() {
    int usual = entriesWithoutRows();
    run((task, millis) -> millis % 5_000 == 1_200 + 30L * task);
    assertThat(waits).hasSize(TASKS * SECONDS / 5);
    assertThat(Collections.max(waits)).as("milliseconds of a row").isLessThan(200);
    assertThat(entries()).as("an entry a window more, or two").isLessThan(usual + 2 * SECONDS / 5);
  }

  /** Keys and shards whose readings are a moment apart. */
  @Test
  void resultsOfWindowsThatEndOneAfterTheOtherGoSoon() {
    run((task, millis) -> (millis - 300L * task) % 10_000 == 1_200);
    assertThat(Collections.max(waits)).as("milliseconds of a row").isLessThan(650);
  }

  /** Each of its commits is for all rows until then, so that none is spent on a single row. */
  @Test
  void aTaskWhoseKeysCloseOneAfterTheOtherHasEnoughForAll() {
    run((task, millis) -> task == 0 && (millis - 200) % 10_000 < 900 && millis % 3 == 0);
    assertThat(Collections.max(waits)).as("milliseconds of a row").isLessThan(650);
  }

  /** Where the windows end drifts through the beat's intervals, its last tenth of a second too. */
  @Test
  void whereWindowsEndInAnIntervalDoesNotMatter() {
    run((task, millis) -> (millis + 20L * task) % 5_037 == 4_000);
    assertThat(Collections.max(waits)).as("milliseconds of a row").isLessThan(300);
  }

  @Test
  void anAlarmGoesSoonBesideATaskWhoseResultsComeAllTheTime() {
    run((task, millis) -> task == 0 ? millis % 50 == 0 : task == 1 && millis % 7_000 == 1_500);
    long soon = waits.stream().filter(wait -> wait < 650).count();
    assertThat(soon).isGreaterThanOrEqualTo(SECONDS / 7);
  }

  @Test
  void resultsThatComeAllTheTimeMakeNoMoreEntries() {
    int usual = entriesWithoutRows();
    run((_, millis) -> millis % 500 == 0);
    assertThat(entries()).isLessThanOrEqualTo(usual + TaskBeat.MOST);
  }

  /** It may be another device's, which died just before it would have committed. */
  @Test
  void aTaskThatHasJustBegunCommitsItsFirstReadingsSoon() {
    run((_, _) -> false);
    for (int start = 0; start < 200; start++) {
      Simulated begins = new Simulated();
      long begunNanos = now;
      while (begins.commits == 0) {
        tick((_, _) -> false, 0);
        begins.read(random.nextInt(20) == 0, false);
        begins.turn();
      }
      assertThat((now - begunNanos) / MILLI).as("milliseconds until a commit").isLessThan(700);
    }
  }

  /** The worst of patterns: a row after each pause, of each task at another time. */
  @Test
  void entriesAreBounded() {
    run((task, millis) -> (millis + 333L * task) % 1_010 == 0);
    int moments = SECONDS * CommitBeat.MOMENTS * 1_000 / (int) INTERVAL_MILLIS;
    assertThat(entries()).isLessThan(moments);
    assertThat(commits.size()).isLessThan(TASKS * SECONDS * 2);
  }
}
