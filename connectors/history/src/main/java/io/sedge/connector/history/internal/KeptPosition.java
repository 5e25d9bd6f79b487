package io.sedge.connector.history.internal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A source's position with what each device had kept up to there: magic (4), count (4), for each
 * store its id (8) and mark (8), then the source's own. A task that comes back to a device finds so
 * how much of what it had kept there was committed, whoever has committed since.
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record KeptPosition(List<Mark> marks, byte[] source) {
  private static final int MAGIC = 0x534B4501;

  /** As many devices as a site may have; of more stores the ones that kept longest ago go. */
  private static final int MAX_MARKS = 64;

  /** What a store had kept. */
  record Mark(long store, long mark) {}

  /** A source's position from before its table was kept has no marks. */
  static KeptPosition of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    if (bytes.length < 8 || buffer.getInt() != MAGIC) {
      return new KeptPosition(List.of(), bytes);
    }
    int count = buffer.getInt();
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      marks.add(new Mark(buffer.getLong(), buffer.getLong()));
    }
    byte[] source = new byte[buffer.remaining()];
    buffer.get(source);
    return new KeptPosition(List.copyOf(marks), source);
  }

  /** The mark of a store, or -1. */
  long mark(long store) {
    return marks.stream()
        .filter(mark -> mark.store() == store)
        .mapToLong(Mark::mark)
        .findFirst()
        .orElse(-1);
  }

  /** The same with a store's mark and the source's position as they are now. */
  KeptPosition with(Mark own, byte[] newSource) {
    List<Mark> others = new ArrayList<>(List.of(own));
    marks.stream()
        .filter(mark -> mark.store() != own.store())
        .limit(MAX_MARKS - 1)
        .forEach(others::add);
    return new KeptPosition(others, newSource);
  }

  byte[] bytes() {
    ByteBuffer buffer = ByteBuffer.allocate(8 + marks.size() * 16 + source.length);
    buffer.putInt(MAGIC).putInt(marks.size());
    marks.forEach(mark -> buffer.putLong(mark.store()).putLong(mark.mark()));
    return buffer.put(source).array();
  }
}
