package io.sedge.ledger.internal.state;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries out commits. A commit changes nothing until it is certain that all of it can be taken.
 * Commits that come in parts may wait for their last part; all that wait have at most {@link
 * #PARTS_FACTOR} times the bytes of one commit.
 */
final class Committing {
  static final int PARTS_FACTOR = 4;

  private final Site site;

  Committing(Site site) {
    this.site = site;
  }

  Answer commit(Command.Commit commit) {
    TaskEntry task = site.tasks.get(commit.task());
    Answer refused = check(task, commit.epoch(), commit.sequence());
    if (refused != null || task == null) {
      return refused == null ? refused(Refusal.UNKNOWN_TASK, 0) : refused;
    }
    JobEntry job = site.jobs.get(commit.task().job());
    if (job == null) {
      return refused(Refusal.UNKNOWN_JOB, 0);
    }
    Map<byte[], byte @Nullable []> net = net(commit);
    long growth = task.growth(commit.positions(), net);
    List<Rows> kept = kept(commit.rows(), job);
    Answer noRoom = checkRows(kept);
    if (noRoom != null) {
      return noRoom;
    }
    if (growth > 0 && site.stateBytes + growth > site.limits.stateBytes()) {
      return refused(Refusal.STATE_FULL, site.limits.stateBytes());
    }
    task.set(commit.positions(), net, growth);
    site.stateBytes += growth;
    for (Rows rows : kept) {
      job.rows(rows.channel()).append(task.id, rows);
      site.addRowBytes(rows.channel(), RowQueue.counted(rows));
    }
    task.sequence = commit.sequence();
    return new Answer.Done(site.appliedIndex, commit.sequence());
  }

  /** Nobody reads the exchange of a job that has ended, whose bytes would be missing to others. */
  private static List<Rows> kept(List<Rows> rows, JobEntry job) {
    return job.state.hasEnded()
        ? rows.stream().filter(block -> block.channel() != Channel.EXCHANGE).toList()
        : rows;
  }

  /** Null if there is room for the rows in their channels. */
  private @Nullable Answer checkRows(List<Rows> blocks) {
    for (Channel channel : Channel.values()) {
      long limit = site.limits.bytes(channel);
      long bytes =
          blocks.stream()
              .filter(rows -> rows.channel() == channel)
              .mapToLong(RowQueue::counted)
              .sum();
      if (bytes > limit) {
        return refused(Refusal.TOO_LARGE, limit);
      }
      if (bytes > 0 && site.rowBytes(channel) + bytes > limit) {
        return refused(
            channel == Channel.OUTBOX ? Refusal.OUTBOX_FULL : Refusal.EXCHANGE_FULL, limit);
      }
    }
    return null;
  }

  /** Null if the commit is the next one of the task's present owner. */
  private @Nullable Answer check(@Nullable TaskEntry task, long epoch, long sequence) {
    if (task == null) {
      return refused(Refusal.UNKNOWN_TASK, 0);
    }
    if (epoch != task.epoch || task.device.isEmpty()) {
      return refused(Refusal.OLD_EPOCH, task.epoch);
    }
    if (sequence <= task.sequence) {
      return new Answer.Repeated(site.appliedIndex);
    }
    return sequence == task.sequence + 1
        ? null
        : refused(Refusal.WRONG_SEQUENCE, task.sequence + 1);
  }

  /** The last mention of each key. */
  private static Map<byte[], byte @Nullable []> net(Command.Commit commit) {
    Map<byte[], byte @Nullable []> net = new TreeMap<>(Arrays::compareUnsigned);
    for (Change change : commit.changes()) {
      net.put(change.key(), change.value());
    }
    return net;
  }

  Answer part(Command.CommitPart part) {
    TaskEntry task = site.tasks.get(part.task());
    if (task == null) {
      return refused(Refusal.UNKNOWN_TASK, 0);
    }
    if (part.number() == 0 || part.sequence() != task.partsSequence) {
      discard(task);
      task.partsSequence = part.sequence();
    }
    Answer refused = check(task, part.epoch(), part.sequence());
    if (refused == null) {
      refused = checkPart(task, part);
    }
    if (refused != null) {
      discard(task);
      return refused;
    }
    task.addPart(part.bytes());
    site.partsBytes += part.bytes().length;
    return part.number() < part.count() - 1
        ? new Answer.Done(site.appliedIndex, part.number())
        : commitParts(task, part);
  }

  private @Nullable Answer checkPart(TaskEntry task, Command.CommitPart part) {
    int commitBytes = site.limits.commitBytes();
    if (part.number() != task.parts.size()) {
      return refused(Refusal.WRONG_SEQUENCE, task.parts.size());
    }
    if (task.partsBytes + part.bytes().length > commitBytes) {
      return refused(Refusal.TOO_LARGE, commitBytes);
    }
    return site.partsBytes + part.bytes().length > (long) PARTS_FACTOR * commitBytes
        ? refused(Refusal.NOT_NOW, 0)
        : null;
  }

  private Answer commitParts(TaskEntry task, Command.CommitPart last) {
    byte[] joined = task.joinedParts();
    discard(task);
    try {
      Command.Commit commit = CommandCodec.decodeCommit(joined);
      boolean same =
          commit.task().equals(last.task())
              && commit.epoch() == last.epoch()
              && commit.sequence() == last.sequence();
      return same ? commit(commit) : refused(Refusal.MALFORMED, 0);
    } catch (MalformedException e) {
      return refused(Refusal.MALFORMED, 0);
    }
  }

  private void discard(TaskEntry task) {
    site.partsBytes -= task.discardParts();
  }

  private static Answer refused(Refusal reason, long value) {
    return new Answer.Refused(reason, value);
  }
}
