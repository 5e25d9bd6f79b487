package io.sedge.connector.opcua.internal;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a reader has come. At most {@link #MAX_NODES} nodes have a time of their own. Those with
 * a history that have none begin at the earliest last row of them all: rows may come twice, none is
 * missing.
 *
 * <pre>
 * 8 bytes  when the last row came, microseconds
 * 8 bytes  from when on values were missed that are not yet read or said, microseconds
 * 8 bytes  the source's time after which the nodes without a time of their own begin
 * each     8 bytes what stands for the node, 8 bytes the source's time of its last row
 * </pre>
 *
 * <p>Times of sources are in 100 ns since 1601. {@link Variable#NEVER}: there is none.
 */
record ReaderPosition(long micros, long gapMicros, long others, Map<Long, Long> sources) {
  static final int MAX_NODES = 4_096;
  static final ReaderPosition NONE =
      new ReaderPosition(Variable.NEVER, Variable.NEVER, Variable.NEVER, Map.of());

  ReaderPosition {
    sources = Map.copyOf(sources);
  }

  /** From when on values were missed; {@link Variable#NEVER} if none were. */
  long missedFrom() {
    return gapMicros == Variable.NEVER ? micros : gapMicros;
  }

  static ReaderPosition parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long micros = buffer.getLong();
    long gap = buffer.getLong();
    long others = buffer.getLong();
    Map<Long, Long> sources = new TreeMap<>();
    while (buffer.hasRemaining()) {
      sources.put(buffer.getLong(), buffer.getLong());
    }
    return new ReaderPosition(micros, gap, others, sources);
  }

  byte[] bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(24 + 16 * sources.size());
    buffer.putLong(micros).putLong(gapMicros).putLong(others);
    new TreeMap<>(sources).forEach((node, time) -> buffer.putLong(node).putLong(time));
    return buffer.array();
  }
}
