package io.sedge.center.internal.people;

import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Logins that were refused, until {@link #write} puts them into the audit log: one entry for each
 * name and address, with how often. There are {@value #MAX_ENTRIES} entries at a time at most; the
 * rest is one more. Any thread.
 */
public final class RefusedLogins {
  static final int MAX_ENTRIES = 32;
  private static final int MAX_NAME = 63;
  private static final Refused OTHERS = new Refused("", "further addresses");

  private final Store store;

  /** Guarded by this. */
  private Map<Refused, Long> times = new LinkedHashMap<>();

  public RefusedLogins(Store store) {
    this.store = store;
  }

  private record Refused(String name, String address) {}

  /** Counts one, by the name that was said. */
  public synchronized void refused(String name, String address) {
    Refused refused =
        new Refused(name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME), address);
    boolean fits = times.containsKey(refused) || times.size() < MAX_ENTRIES;
    times.merge(fits ? refused : OTHERS, 1L, Long::sum);
  }

  private synchronized Map<Refused, Long> take() {
    Map<Refused, Long> taken = times;
    times = new LinkedHashMap<>();
    return taken;
  }

  /**
   * Writes what was counted since the last time; to be called once a minute. A name that nobody has
   * is not written: it may be a password that was typed into the wrong field.
   */
  public void write() throws StoreException {
    Map<Refused, Long> known = new LinkedHashMap<>();
    for (Map.Entry<Refused, Long> entry : take().entrySet()) {
      Refused refused = entry.getKey();
      boolean isKnown = store.people().find(refused.name()).isPresent();
      known.merge(
          isKnown ? refused : new Refused("unknown name", refused.address()),
          entry.getValue(),
          Long::sum);
    }
    for (Map.Entry<Refused, Long> entry : known.entrySet()) {
      store
          .audit()
          .record(
              "nobody (%s)".formatted(entry.getKey().address()),
              "login refused",
              entry.getKey().name(),
              "%,d times".formatted(entry.getValue()));
    }
  }
}
