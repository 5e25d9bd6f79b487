package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When somebody was last there, until the thread of the {@link Keeper} writes it: who asks for
 * something neither waits for that nor fails with it. There is an entry for each who is stored. Any
 * thread.
 */
public final class LastUse {
  private final Database database;
  private final String update;
  private final Map<String, Instant> byName = new ConcurrentHashMap<>();

  /** Of the rows of a table by their {@code name}. */
  public LastUse(Database database, String table, String column) {
    this.database = database;
    this.update = "UPDATE %s SET %s = :at WHERE name = :name".formatted(table, column);
  }

  public void mark(String name, Instant now) {
    byName.put(name, now);
  }

  /** What is not written yet. */
  public Optional<Instant> of(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public void forget(String name) {
    byName.remove(name);
  }

  /** Writes what is new; what fails is written the next time. */
  public void write() throws StoreException {
    Map<String, Instant> fresh = Map.copyOf(byName);
    if (fresh.isEmpty()) {
      return;
    }
    database.changeSecret(
        handle ->
            fresh.forEach(
                (name, at) ->
                    handle
                        .createUpdate(update)
                        .bind("at", at.toEpochMilli())
                        .bind("name", name)
                        .execute()));
    fresh.forEach(byName::remove);
  }
}
