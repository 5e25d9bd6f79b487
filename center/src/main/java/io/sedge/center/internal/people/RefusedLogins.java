package io.sedge.center.internal.people;

import io.sedge.center.store.AuditLog;
import io.sedge.center.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Logins that were refused, until {@link #write} puts them into the audit log: one entry for each
 * person and address, with how often. Names that nobody has are one for each address. When there
 * are {@value #MAX_ENTRIES} entries, each further person has one for all further addresses. Any
 * thread.
 */
public final class RefusedLogins {
  static final int MAX_ENTRIES = 32;

  private static final String UNKNOWN = "unknown name";

  private static final String FURTHER = "further addresses";

  private final AuditLog audit;

  /** Guarded by this. */
  private final Map<Refused, Long> times = new LinkedHashMap<>();

  public RefusedLogins(AuditLog audit) {
    this.audit = audit;
  }

  private record Refused(String name, String address) {}

  /**
   * Counts one.
   *
   * @param person who was tried; empty if nobody is called so. What was typed is not kept: it may
   *     be a password in the wrong field
   */
  public void refused(Optional<String> person, String address) {
    count(new Refused(person.orElse(UNKNOWN), Attempts.network(address)), 1);
  }

  private synchronized void count(Refused refused, long more) {
    boolean fits = times.containsKey(refused) || times.size() < MAX_ENTRIES;
    times.merge(fits ? refused : new Refused(refused.name(), FURTHER), more, Long::sum);
  }

  /** How many entries are to be written. */
  synchronized int waiting() {
    return times.size();
  }

  private synchronized Map<Refused, Long> take() {
    Map<Refused, Long> taken = new LinkedHashMap<>(times);
    times.clear();
    return taken;
  }

  /** Writes what was counted since the last time; what fails is written the next time. */
  public void write() throws StoreException {
    Map<Refused, Long> left = take();
    try {
      for (Map.Entry<Refused, Long> entry : new LinkedHashMap<>(left).entrySet()) {
        Refused refused = entry.getKey();
        audit.record(
            "nobody (%s)".formatted(refused.address()),
            "login refused",
            refused.name(),
            "%,d times".formatted(entry.getValue()));
        left.remove(refused);
      }
    } finally {
      left.forEach(this::count);
    }
  }
}
