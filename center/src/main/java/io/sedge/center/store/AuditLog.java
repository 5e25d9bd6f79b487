package io.sedge.center.store;

import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.RegistryRows;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Who has done what, the latest {@value #MAX_ENTRIES}; the oldest go. Any thread. */
public final class AuditLog {
  /** How many are kept. */
  public static final int MAX_ENTRIES = 100_000;

  private final Database database;
  private final InstantSource clock;

  AuditLog(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * What was done.
   *
   * @param who a person, a site, or the center
   * @param what a verb, such as {@code revoke}
   * @param subject what it was done to
   */
  public record Entry(Instant at, String who, String what, String subject, String detail) {}

  /** Keeps an entry. */
  public void record(String who, String what, String subject, String detail) throws StoreException {
    database.change(
        handle ->
            RegistryRows.audit(
                handle, clock.millis(), MAX_ENTRIES, List.of(who, what, subject, detail)));
  }

  /** The latest entries, the latest first. */
  public List<Entry> latest(int limit) throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery("SELECT * FROM sedge_audit ORDER BY id DESC LIMIT :limit")
                .bind("limit", limit)
                .map(
                    (row, _) ->
                        new Entry(
                            Instant.ofEpochMilli(row.getLong("at")),
                            row.getString("who"),
                            row.getString("what"),
                            row.getString("subject"),
                            row.getString("detail")))
                .list());
  }
}
