package io.sedge.replication.internal;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.CommandBytes;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Refusal;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands, in order. All commands that wait go into one envelope, up to its bounds; one
 * envelope is under way at a time and is repeated until it is answered. So the slower the disks and
 * the network, the more commands share an entry, and order and repetition need no further care.
 * What waits is bounded in bytes.
 *
 * <p>An entry costs every member messages, a write to the disk and a dozen changes of threads,
 * however little is in it. So commands that {@linkplain #isPatient may wait} do not make one of
 * their own at once: they go with the next one that somebody waits for, such as a commit, or after
 * some time.
 */
final class Sender {
  /** Of a part of a commit that is cut; two do not fit into one envelope. */
  static final int PART_BYTES = (Settings.ENTRY_BYTES >> 1) + 1;

  /** Brings an envelope to the leader and its answers back. */
  interface Delivery {
    /**
     * Repeats the envelope until it is answered.
     *
     * @return null if it was given up, as when the member is closed; refused as a whole if there is
     *     one answer where there are several commands
     */
    @Nullable Answers deliver(byte[] envelope) throws InterruptedException;
  }

  /** A command that waits, or a part of one. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Pending(byte[] bytes, Group group, boolean last) {}

  /** The parts of one command, of which the first refusal is the answer. */
  private static final class Group {
    private final CompletableFuture<Answer> future = new CompletableFuture<>();
    private @Nullable Answer refused;

    void answer(Answer answer, boolean last) {
      if (refused == null && !(answer instanceof Answer.Done)) {
        refused = answer;
      }
      if (last) {
        future.complete(refused == null ? answer : refused);
      }
    }
  }

  private final Delivery delivery;
  private final int maxBytes;
  private final long patienceNanos;
  private final long producerHigh;
  private final long producerLow;
  private final Deque<Pending> waiting = new ArrayDeque<>();
  private final Thread thread;
  private long outstandingBytes;

  /** When what waits is to go; means nothing while nothing waits. */
  private long dueNanos;

  private boolean closed;
  private long sequence;

  /**
   * @param maxBytes of commands that wait or are under way
   * @param patience of commands for which nobody waits
   */
  Sender(Delivery delivery, int maxBytes, Duration patience, String name) {
    this.delivery = delivery;
    this.maxBytes = maxBytes;
    this.patienceNanos = patience.toNanos();
    SecureRandom random = new SecureRandom();
    this.producerHigh = random.nextLong();
    this.producerLow = random.nextLong();
    this.thread =
        Thread.ofPlatform().daemon().name("sedge-ledger-sender-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  CompletableFuture<Answer> submit(Command command) {
    return submit(command, isPatient(command) ? patienceNanos : 0);
  }

  /**
   * @param delayNanos for how long the command may wait for company
   */
  CompletableFuture<Answer> submit(Command command, long delayNanos) {
    byte[] bytes = CommandBytes.of(command);
    List<byte[]> pieces = List.of(bytes);
    if (bytes.length > Settings.ENTRY_BYTES - CommandBytes.HEADER_BYTES) {
      if (!(command instanceof Command.Commit commit)) {
        return refused(Refusal.TOO_LARGE, Settings.ENTRY_BYTES);
      }
      pieces = parts(commit);
      if (pieces.size() > Command.CommitPart.MAX_PARTS) {
        return refused(Refusal.TOO_LARGE, (long) Command.CommitPart.MAX_PARTS * PART_BYTES);
      }
    }
    return enqueue(pieces, delayNanos);
  }

  /** Whether it may wait for company: it makes room, or tells what changes slowly. */
  static boolean isPatient(Command command) {
    return command instanceof Command.AcknowledgeRows
        || command instanceof Command.AcknowledgeTaskRows
        || command instanceof Command.MeasureDevice;
  }

  private static List<byte[]> parts(Command.Commit commit) {
    byte[] bytes = CommandBytes.forParts(commit);
    int count = Math.ceilDiv(bytes.length, PART_BYTES);
    List<byte[]> parts = new ArrayList<>(count);
    for (int i = 0; i < count && count <= Command.CommitPart.MAX_PARTS; i++) {
      byte[] part =
          Arrays.copyOfRange(bytes, i * PART_BYTES, Math.min(bytes.length, (i + 1) * PART_BYTES));
      parts.add(
          CommandBytes.of(
              new Command.CommitPart(
                  commit.task(), commit.epoch(), commit.sequence(), i, count, part)));
    }
    return parts;
  }

  private static CompletableFuture<Answer> refused(Refusal reason, long value) {
    return CompletableFuture.completedFuture(new Answer.Refused(reason, value));
  }

  private synchronized CompletableFuture<Answer> enqueue(List<byte[]> pieces, long delayNanos) {
    long bytes = pieces.stream().mapToLong(piece -> piece.length).sum();
    if (closed) {
      return refused(Refusal.CLOSED, 0);
    }
    if (outstandingBytes > 0 && outstandingBytes + bytes > maxBytes) {
      dueNanos = System.nanoTime(); // What is in its way has had company enough.
      notifyAll();
      return refused(Refusal.BUSY, maxBytes);
    }
    outstandingBytes += bytes;
    long due = System.nanoTime() + delayNanos;
    dueNanos = waiting.isEmpty() || due - dueNanos < 0 ? due : dueNanos;
    Group group = new Group();
    for (int i = 0; i < pieces.size(); i++) {
      waiting.add(new Pending(pieces.get(i), group, i == pieces.size() - 1));
    }
    notifyAll();
    return group.future;
  }

  private void run() {
    try {
      List<Pending> batch = take();
      while (!batch.isEmpty()) {
        send(batch);
        batch = take();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      refuseAll();
    }
  }

  /** What goes into the next envelope; empty when closed. */
  private synchronized List<Pending> take() throws InterruptedException {
    awaitDue();
    List<Pending> batch = new ArrayList<>();
    int bytes = CommandBytes.HEADER_BYTES;
    while (!closed && !waiting.isEmpty() && batch.size() < Envelope.MAX_COMMANDS) {
      bytes += waiting.getFirst().bytes().length;
      if (bytes > Settings.ENTRY_BYTES && !batch.isEmpty()) {
        break;
      }
      batch.add(waiting.removeFirst());
    }
    return batch;
  }

  private synchronized void awaitDue() throws InterruptedException {
    while (!closed && waiting.size() < Envelope.MAX_COMMANDS) {
      if (waiting.isEmpty()) {
        wait();
      } else if (dueNanos - System.nanoTime() > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, dueNanos - System.nanoTime());
      } else {
        return;
      }
    }
  }

  private void send(List<Pending> batch) throws InterruptedException {
    sequence++;
    byte[] envelope =
        CommandBytes.envelope(
            producerHigh, producerLow, sequence, batch.stream().map(Pending::bytes).toList());
    Answers answers = null;
    try {
      answers = delivery.deliver(envelope);
    } finally {
      release(batch);
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).group().answer(answerOf(answers, i), batch.get(i).last());
      }
    }
  }

  private static Answer answerOf(@Nullable Answers answers, int i) {
    if (answers == null) {
      return new Answer.Refused(Refusal.CLOSED, 0);
    }
    return answers.answers().get(Math.min(i, answers.answers().size() - 1));
  }

  private synchronized void release(List<Pending> batch) {
    batch.forEach(pending -> outstandingBytes -= pending.bytes().length);
  }

  private void refuseAll() {
    List<Pending> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    Answer answer = new Answer.Refused(Refusal.CLOSED, 0);
    left.forEach(pending -> pending.group().answer(answer, pending.last()));
  }

  /**
   * Ends it; what was under way is answered CLOSED. The delivery must return soon by itself: an
   * interrupt would hit Ratis's log in the middle of a write.
   */
  void close() throws InterruptedException {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    if (!Thread.currentThread().equals(thread)) {
      thread.join();
    }
  }
}
