package io.sedge.engine.testkit;

import io.sedge.engine.state.StateWriter;
import io.sedge.engine.state.Stateful;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The entries that a store would hold after the calls made to this writer. */
public final class StateImage implements StateWriter {
  private final TreeMap<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
  private long written;

  public static StateImage snapshotOf(Stateful stateful) {
    StateImage image = new StateImage();
    stateful.writeSnapshot(
        new StateWriter() {
          @Override
          public void put(byte[] key, byte[] value) {
            if (image.entries.containsKey(key)) {
              throw new AssertionError("a snapshot has twice " + HexFormat.of().formatHex(key));
            }
            image.put(key, value);
          }

          @Override
          public void remove(byte[] key) {
            throw new AssertionError("a snapshot removes " + HexFormat.of().formatHex(key));
          }
        });
    return image;
  }

  @Override
  public void put(byte[] key, byte[] value) {
    written++;
    entries.put(key.clone(), value.clone());
  }

  @Override
  public void remove(byte[] key) {
    written++;
    entries.remove(key);
  }

  /** How many entries were written or removed since {@link #resetWritten}. */
  long written() {
    return written;
  }

  void resetWritten() {
    written = 0;
  }

  public int size() {
    return entries.size();
  }

  /** The entries in an order that nobody may rely on. */
  public Iterable<Map.Entry<byte[], byte[]>> entries() {
    List<Map.Entry<byte[], byte[]>> list = new ArrayList<>();
    entries.forEach(
        (key, value) -> list.add(new SimpleImmutableEntry<>(key.clone(), value.clone())));
    return list.reversed();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StateImage image && printable().equals(image.printable());
  }

  @Override
  public int hashCode() {
    return printable().hashCode();
  }

  private Map<String, String> printable() {
    Map<String, String> printable = new HashMap<>();
    entries.forEach(
        (key, value) ->
            printable.put(HexFormat.of().formatHex(key), HexFormat.of().formatHex(value)));
    return printable;
  }

  /** How another image differs, for messages. */
  public String difference(StateImage other) {
    Map<String, String> mine = new TreeMap<>(printable());
    Map<String, String> others = new TreeMap<>(other.printable());
    List<String> lines = new ArrayList<>();
    mine.forEach(
        (key, value) -> {
          String found = others.remove(key);
          if (!value.equals(found)) {
            lines.add("  " + key + ": " + value + " against " + found);
          }
        });
    others.forEach((key, value) -> lines.add("  " + key + ": nothing against " + value));
    return String.join("\n", lines);
  }

  @Override
  public String toString() {
    return new TreeMap<>(printable()).toString();
  }
}
