package io.sedge.ledger;

import static java.util.Objects.requireNonNull;

import java.util.EnumMap;
import java.util.Map;

/**
 * The bounds of a site's state. They are part of the state, so that they are the same on every
 * member: {@link Command.SetLimits} changes them. Who lowers one below what is in use refuses
 * growth, and takes nothing away. All of the state is held in memory on every member, so the sums
 * must suit the member with the least memory.
 *
 * @param devices how many devices there may be
 * @param jobs how many jobs
 * @param tasks how many tasks, of all jobs together
 * @param scriptBytes of one job's script, in UTF-8
 * @param commitBytes of one commit that comes in parts, encoded; one that fits into an entry of the
 *     log comes in one piece, and is taken
 * @param stateBytes of the state and the positions of all tasks together, {@value #ENTRY_OVERHEAD}
 *     bytes for each entry included
 * @param outboxBytes of all rows in outboxes that have not been acknowledged, {@value
 *     #ENTRY_OVERHEAD} bytes for each block of rows included
 * @param exchangeBytes the same of all exchanges: another sum, since who empties an exchange needs
 *     room in an outbox
 * @param silenceMillis a device that has not reported for so long loses its tasks
 */
public record Limits(
    int devices,
    int jobs,
    int tasks,
    int scriptBytes,
    int commitBytes,
    long stateBytes,
    long outboxBytes,
    long exchangeBytes,
    int silenceMillis) {
  /** What an entry counts beside its bytes: what maps and array headers take. */
  public static final int ENTRY_OVERHEAD = 96;

  /**
   * Those that each ledger begins with, which suit members that have 64 MB for their heap. What
   * members make of a log depends on them, so they stay as they are: whoever founds a site that is
   * to have others sets those.
   */
  public static final Limits DEFAULT =
      new Limits(64, 64, 2_048, 128 << 10, 4 << 20, 16L << 20, 8L << 20, 8L << 20, 1_000);

  public Limits {
    atLeastOne(devices, "devices");
    atLeastOne(jobs, "jobs");
    atLeastOne(tasks, "tasks");
    atLeastOne(scriptBytes, "scriptBytes");
    atLeastOne(commitBytes, "commitBytes");
    if (commitBytes > Math.min(stateBytes, Math.min(outboxBytes, exchangeBytes))) {
      throw new IllegalArgumentException(
          "commitBytes=%d is more than stateBytes=%d, outboxBytes=%d or exchangeBytes=%d: such a commit could never be taken"
              .formatted(commitBytes, stateBytes, outboxBytes, exchangeBytes));
    }
    if (scriptBytes > commitBytes) {
      throw new IllegalArgumentException(
          "scriptBytes=%d is more than commitBytes=%d".formatted(scriptBytes, commitBytes));
    }
    Limit.SILENCE_MILLIS.check(silenceMillis);
  }

  /** These, but for some that are given. */
  public Limits with(Map<Limit, Long> values) {
    Map<Limit, Long> all = values();
    all.putAll(values);
    return new Limits(
        number(all, Limit.DEVICES),
        number(all, Limit.JOBS),
        number(all, Limit.TASKS),
        number(all, Limit.SCRIPT_BYTES),
        number(all, Limit.COMMIT_BYTES),
        bytes(all, Limit.STATE_BYTES),
        bytes(all, Limit.OUTBOX_BYTES),
        bytes(all, Limit.EXCHANGE_BYTES),
        number(all, Limit.SILENCE_MILLIS));
  }

  private static long bytes(Map<Limit, Long> all, Limit limit) {
    return requireNonNull(all.get(limit));
  }

  private static int number(Map<Limit, Long> all, Limit limit) {
    long value = bytes(all, limit);
    if (value != (int) value) {
      throw new IllegalArgumentException("%s=%d is out of range".formatted(limit.field(), value));
    }
    return (int) value;
  }

  /** All of them; the caller's own. */
  public Map<Limit, Long> values() {
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      values.put(limit, value(limit));
    }
    return values;
  }

  /** One of them. */
  public long value(Limit limit) {
    return switch (limit) {
      case DEVICES -> devices;
      case JOBS -> jobs;
      case TASKS -> tasks;
      case SCRIPT_BYTES -> scriptBytes;
      case COMMIT_BYTES -> commitBytes;
      case STATE_BYTES -> stateBytes;
      case OUTBOX_BYTES -> outboxBytes;
      case EXCHANGE_BYTES -> exchangeBytes;
      case SILENCE_MILLIS -> silenceMillis;
    };
  }

  /** Of the rows of a channel. */
  public long bytes(Channel channel) {
    return switch (channel) {
      case OUTBOX -> outboxBytes;
      case EXCHANGE -> exchangeBytes;
    };
  }

  private static void atLeastOne(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + "=" + value + " is less than 1");
    }
  }
}
