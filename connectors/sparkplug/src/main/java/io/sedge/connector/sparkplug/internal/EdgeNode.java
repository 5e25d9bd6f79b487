package io.sedge.connector.sparkplug.internal;

import io.sedge.connector.sparkplug.internal.RowWriter.Definition;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an edge node. States: unknown (its birth was not seen in this connection),
 * online (between NBIRTH and NDEATH), dead. An NBIRTH leads to online from each state, an NDEATH of
 * the same session from online to dead, the loss of the connection to unknown. One thread.
 */
final class EdgeNode {
  /** About what a metric takes beside its name, and a device. */
  private static final int DEFINITION_BYTES = 160;

  private static final int NODE_BYTES = 512;

  /** Two metrics have the alias, so it says nothing. */
  private static final Definition AMBIGUOUS = new Definition("", 0, RowWriter.NONE);

  /** The metrics of the edge node itself or of a device, as its last birth defines them. */
  static final class Part {
    private final Map<String, Definition> byName = new HashMap<>();
    private final Map<Long, Definition> byAlias = new HashMap<>();
    private long bytes = DEFINITION_BYTES;

    /**
     * Adds a metric of a birth.
     *
     * @return whether another metric has its alias
     */
    boolean define(Definition definition, Metric metric) {
      bytes += bytes(definition.name());
      byName.put(definition.name(), definition);
      if (!metric.hasAlias()) {
        return false;
      }
      Definition other = byAlias.putIfAbsent(metric.getAlias(), definition);
      boolean isTaken = other != null && !other.name().equals(definition.name());
      if (isTaken) {
        byAlias.put(metric.getAlias(), AMBIGUOUS);
      }
      return isTaken;
    }

    /** The metric that a value is of, by its alias or else its name; null if no birth had it. */
    @Nullable Definition find(Metric value) {
      Definition found = value.hasAlias() ? byAlias.get(value.getAlias()) : null;
      if (found != null && found.equals(AMBIGUOUS)) {
        return null;
      }
      return found == null && value.hasName() ? byName.get(value.getName()) : found;
    }

    /** About so much memory a metric of that name takes. */
    static long bytes(String name) {
      return DEFINITION_BYTES + 2L * name.length();
    }

    Iterable<Definition> definitions() {
      return byName.values();
    }

    long bytes() {
      return bytes;
    }
  }

  private enum State {
    UNKNOWN,
    ONLINE,
    DEAD
  }

  private final String descriptor;
  private final Map<String, Part> parts = new TreeMap<>();
  private State state = State.UNKNOWN;
  private long bdSeq = Payloads.NO_SEQ;
  private int nextSeq;
  private long lastMicros = Payloads.NO_TIME;
  private long leftOut;

  /** Requests for a rebirth without an answer. */
  int requests;

  /** Before that no other is due. */
  long nextRequestNanos;

  /** Whether it was said that it does not number its messages. */
  boolean unnumberedSaid;

  /**
   * @param descriptor its group and name
   */
  EdgeNode(String descriptor) {
    this.descriptor = descriptor;
  }

  String descriptor() {
    return descriptor;
  }

  boolean isOnline() {
    return state == State.ONLINE;
  }

  boolean isDead() {
    return state == State.DEAD;
  }

  /** It was born: nothing of an earlier session holds any more. */
  void transitionToOnline(long birthNumber, int seq, Part own) {
    state = State.ONLINE;
    bdSeq = birthNumber;
    nextSeq = next(seq == Payloads.NO_SEQ ? 0 : seq);
    parts.clear();
    parts.put("", own);
    requests = 0;
    nextRequestNanos = Long.MIN_VALUE;
  }

  void transitionToDead() {
    state = State.DEAD;
    parts.clear();
  }

  /** The connection is gone: it may be born anew meanwhile. */
  void transitionToUnknown() {
    state = State.UNKNOWN;
    parts.clear();
  }

  /** Whether a death is that of this session. */
  boolean isOfSession(long deathNumber) {
    return bdSeq == Payloads.NO_SEQ || bdSeq == deathNumber;
  }

  long bdSeq() {
    return bdSeq;
  }

  /**
   * Goes on in the sequence.
   *
   * @return how many messages are missing before this one, at least
   */
  int advance(int seq) {
    int missing = (seq - nextSeq) & 0xFF;
    nextSeq = next(seq);
    return missing;
  }

  int nextSeq() {
    return nextSeq;
  }

  private static int next(int seq) {
    return (seq + 1) & 0xFF;
  }

  /** The edge node itself (empty) or a device; null if it is not born. */
  @Nullable Part part(String device) {
    return parts.get(device);
  }

  void born(String device, Part part) {
    parts.put(device, part);
  }

  @Nullable Part died(String device) {
    return parts.remove(device);
  }

  /** What is born, by device; the edge node itself is the empty one. */
  Map<String, Part> parts() {
    return parts;
  }

  /** About so much memory it takes. */
  long bytes() {
    return NODE_BYTES + parts.values().stream().mapToLong(Part::bytes).sum();
  }

  /** When its last message came; {@link Payloads#NO_TIME} if none has. */
  long lastMicros() {
    return lastMicros;
  }

  void heard(long micros) {
    lastMicros = micros;
  }

  /** Counts values that are left out until it is born; whether they are the first. */
  boolean leaveOut(int values) {
    boolean first = leftOut == 0;
    leftOut += Math.max(1, values);
    return first;
  }

  /** The values that were left out since the last call. */
  long takeLeftOut() {
    long count = leftOut;
    leftOut = 0;
    return count;
  }
}
