package io.sedge.ledger.internal.state;

import io.sedge.alarm.Alarms;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Format;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.Limits;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.TaskId;
import io.sedge.ledger.Token;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;

/** All of the state. Maps have an order that depends on their contents or on the log alone. */
final class Site {
  /** How many producers' last answers are kept; those used last. */
  static final int MAX_PRODUCERS = 256;

  /** How many keys of removed devices are kept out; those removed last. */
  static final int MAX_REMOVED_KEYS = 1_000;

  /** Names a producer of envelopes. */
  record Producer(long high, long low) {}

  /** The last envelope of a producer and what came of it. */
  record Answered(long sequence, Answers answers) {}

  long appliedIndex;
  Limits limits = Limits.DEFAULT;
  int format = Format.FIRST;
  final NavigableMap<String, DeviceEntry> devices = new TreeMap<>();

  /** Changes with each change of who belongs, or may come. */
  long membershipVersion;

  final NavigableMap<String, Token> tokens = new TreeMap<>();

  /** The one that was removed last stands last. */
  final SequencedSet<String> removedKeys = new LinkedHashSet<>();

  final Vault vault = new Vault();
  final Orders orders = new Orders();
  final Models models = new Models();

  Alarms alarms = new Alarms();

  final NavigableMap<String, JobEntry> jobs = new TreeMap<>();
  final NavigableMap<TaskId, TaskEntry> tasks = new TreeMap<>();

  /**
   * The highest version, epoch or row number of all that was removed. What is made anew under the
   * same name is numbered on from there, so that nothing said of the old one hits it.
   */
  long removedNumber;

  /** The one that was used last stands last. */
  final Map<Producer, Answered> producers = new LinkedHashMap<>();

  long stateBytes;
  private final Map<Channel, Long> rowBytes = new EnumMap<>(Channel.class);
  long partsBytes;

  long rowBytes(Channel channel) {
    return rowBytes.getOrDefault(channel, 0L);
  }

  void addRowBytes(Channel channel, long bytes) {
    rowBytes.merge(channel, bytes, Long::sum);
  }

  /** Of files of all jobs, were another one's own some others. */
  long fileBytes(String job, List<JobFile> own) {
    List<JobFile> all = new ArrayList<>(own);
    for (JobEntry entry : jobs.values()) {
      if (!entry.name.equals(job)) {
        all.addAll(entry.files);
      }
      if (entry.earlier != null) {
        all.addAll(entry.earlier.files());
      }
    }
    return JobFile.bytes(all);
  }

  void remember(Producer producer, Answered answered) {
    producers.remove(producer);
    producers.put(producer, answered);
    if (producers.size() > MAX_PRODUCERS) {
      producers.remove(producers.keySet().iterator().next());
    }
  }

  void shutOut(String key) {
    removedKeys.addLast(key);
    if (removedKeys.size() > MAX_REMOVED_KEYS) {
      removedKeys.removeFirst();
    }
  }

  void remove(JobEntry job) {
    for (Channel channel : Channel.values()) {
      RowQueue rows = job.rows(channel);
      addRowBytes(channel, -rows.bytes);
      removedNumber = Math.max(removedNumber, rows.nextRow - 1);
    }
    removedNumber = Math.max(removedNumber, job.version);
    orders.removed(job.name);
    models.removed(job.name);
    jobs.remove(job.name);
    alarms.keepTables(job.name, Set.of());
  }

  void remove(TaskEntry task) {
    removedNumber = Math.max(removedNumber, task.epoch);
    tasks.remove(task.id);
    stateBytes -= task.bytes;
    partsBytes -= task.discardParts();
  }

  /**
   * The sums are those of the parts.
   *
   * @throws IllegalStateException if not
   */
  void checkInvariants() {
    models.checkInvariants();
    long state = 0;
    long parts = 0;
    for (TaskEntry task : tasks.values()) {
      long bytes = 0;
      for (Map.Entry<byte[], byte[]> entry : task.state.entrySet()) {
        bytes += TaskEntry.counted(entry.getKey(), entry.getValue());
      }
      for (Map.Entry<String, byte[]> entry : task.positions.entrySet()) {
        bytes += TaskEntry.counted(entry.getKey(), entry.getValue());
      }
      check(bytes, task.bytes, "the bytes of task " + task.id);
      state += bytes;
      parts += task.parts.stream().mapToLong(part -> part.length).sum();
    }
    for (Channel channel : Channel.values()) {
      long rows = 0;
      for (JobEntry job : jobs.values()) {
        RowQueue queue = job.rows(channel);
        Map<TaskId, Long> byTask = new TreeMap<>();
        for (RowBlock block : queue.blocks.values()) {
          byTask.merge(block.task(), RowQueue.counted(block.rows()), Long::sum);
        }
        long bytes = byTask.values().stream().mapToLong(Long::longValue).sum();
        check(bytes, queue.bytes, "%s of job %s".formatted(channel, job.name));
        check(byTask, queue.bytesByTask, "%s of job %s by task".formatted(channel, job.name));
        rows += bytes;
      }
      check(rows, rowBytes(channel), "the rows of " + channel);
    }
    check(state, stateBytes, "stateBytes");
    check(parts, partsBytes, "partsBytes");
  }

  private static void check(Object actual, Object counted, String what) {
    if (!actual.equals(counted)) {
      throw new IllegalStateException(
          "%s are counted as %s and are %s".formatted(what, counted, actual));
    }
  }
}
