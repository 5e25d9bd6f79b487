package io.sedge.connector.opcua.internal;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a reader has come: when its last row came, and for nodes with a history the source's time
 * of their last row. At most {@link #MAX_NODES} of them; the others begin at the latest of all.
 *
 * <pre>
 * 8 bytes  when the last row came, microseconds; Long.MIN_VALUE: no row yet
 * 8 bytes  the latest source time, 100 ns since 1601
 * each     8 bytes what stands for the node, 8 bytes its time
 * </pre>
 */
record ReaderPosition(long micros, long latestSource, Map<Long, Long> sources) {
  static final int MAX_NODES = 4_096;
  static final ReaderPosition NONE = new ReaderPosition(Variable.NEVER, Variable.NEVER, Map.of());

  ReaderPosition {
    sources = Map.copyOf(sources);
  }

  static ReaderPosition parse(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long micros = buffer.getLong();
    long latest = buffer.getLong();
    Map<Long, Long> sources = new TreeMap<>();
    while (buffer.hasRemaining()) {
      sources.put(buffer.getLong(), buffer.getLong());
    }
    return new ReaderPosition(micros, latest, sources);
  }

  byte[] bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(16 + 16 * sources.size());
    buffer.putLong(micros).putLong(latestSource);
    new TreeMap<>(sources).forEach((node, time) -> buffer.putLong(node).putLong(time));
    return buffer.array();
  }
}
