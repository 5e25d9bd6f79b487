package io.sedge.cli.internal.connect;

import java.util.List;
import java.util.TreeMap;

/** What has been found so far, by name; bounded. One thread at a time adds. */
public final class Samples {
  /** Names beyond are counted. */
  static final int MOST = 10_000;

  /** Characters of a payload that are looked at. */
  static final int LONGEST = 4_096;

  private final TreeMap<String, Sample> byName = new TreeMap<>();
  private long leftOut;

  /** Adds one; whether it has a name that was not there. */
  public synchronized boolean add(String name, String payload) {
    Sample before = byName.get(name);
    if (before != null) {
      byName.put(name, new Sample(name, before.payload(), before.count() + 1));
      return false;
    }
    if (byName.size() == MOST) {
      leftOut++;
      return false;
    }
    String kept = payload.length() > LONGEST ? payload.substring(0, LONGEST) : payload;
    byName.put(name, new Sample(name, kept, 1));
    return true;
  }

  /** By their names. */
  public synchronized List<Sample> all() {
    return List.copyOf(byName.values());
  }

  /** How many came whose names found no room. */
  public synchronized long leftOut() {
    return leftOut;
  }
}
