package io.sedge.center.store;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.Dialect;
import io.sedge.center.store.internal.Hashes;
import io.sedge.center.store.internal.LastUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What people and programs may do, by tokens of which the store knows hashes alone. Any thread. */
public final class AccessTokens implements Permitted {
  private final Database database;
  private final InstantSource clock;
  private final String table;

  /** How often one was changed or taken away. */
  private final AtomicInteger changes = new AtomicInteger();

  private final Map<String, Access> byHash = new ConcurrentHashMap<>();
  private final LastUse used;

  AccessTokens(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.table = database.dialect().secretPrefix() + "sedge_access";
    this.used = new LastUse(database, table, "used_at");
  }

  /** What one may do; each may do what those before it may. */
  public enum Role {
    VIEWER,
    OPERATOR,
    ENGINEER,
    ADMIN;

    /** Whether this one may do what another may. */
    public boolean includes(Role other) {
      return compareTo(other) >= 0;
    }
  }

  /** Who has a token; it is empty when it ends. */
  public record Access(
      String name,
      Permission permission,
      Instant createdAt,
      Optional<Instant> endsAt,
      Optional<Instant> usedAt) {}

  /**
   * Takes a token that was made.
   *
   * @throws StoreException NAME_TAKEN, also by a person
   */
  public void add(String token, String name, Permission permission, Optional<Instant> endsAt)
      throws StoreException {
    database.changeSecret(
        handle -> {
          refuseTaken(database.dialect(), handle, name);
          handle
              .createUpdate(
                  "INSERT INTO %s (name, hash, role, sites, created_at, ends_at) VALUES (:name, :hash, :role, :sites, :at, :end)"
                      .formatted(table))
              .bind("name", name)
              .bind("hash", Hashes.text(token))
              .bind("role", permission.role().name())
              .bind("sites", permission.stored())
              .bind("at", clock.millis())
              .bind("end", endsAt.map(Instant::toEpochMilli).orElse(null))
              .execute();
        });
  }

  /** A token and a person never share a name: the audit log would not say who it was. */
  static void refuseTaken(Dialect dialect, Handle handle, String name) throws StoreException {
    for (String table : List.of("sedge_access", "sedge_person")) {
      boolean taken =
          handle
              .createQuery(
                  "SELECT 1 FROM %s%s WHERE name = :name".formatted(dialect.secretPrefix(), table))
              .bind("name", name)
              .mapTo(Integer.class)
              .findOne()
              .isPresent();
      if (taken) {
        throw new StoreException(
            Reason.NAME_TAKEN,
            "%s: remove that one first, or take another name"
                .formatted(
                    table.equals("sedge_access")
                        ? "'%s' has a token".formatted(name)
                        : "a person is called '%s'".formatted(name)));
      }
    }
  }

  /** Whose a token is, if it has not ended; cheap, to be asked at each request. */
  public Optional<Access> find(String token) throws StoreException {
    String hash = Hashes.text(token);
    Access access = byHash.get(hash);
    if (access == null) {
      int before = changes.get();
      Optional<Access> stored = one("hash", hash);
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      access = stored.get();
      byHash.put(hash, access);
      if (changes.get() != before) {
        // One may have been changed while it was looked up.
        byHash.remove(hash);
      }
    }
    Instant now = clock.instant();
    if (access.endsAt().isPresent() && !now.isBefore(access.endsAt().get())) {
      return Optional.empty();
    }
    return Optional.of(access);
  }

  /** A token was used; it is written within a minute. */
  public void used(String name) {
    used.mark(name, clock.instant());
  }

  /** Writes which were used. */
  void writeUsed() throws StoreException {
    used.write();
  }

  /** All by name. */
  public List<Access> list() throws StoreException {
    return database.secret(
        handle ->
            handle
                .createQuery("SELECT * FROM %s ORDER BY name".formatted(table))
                .map((row, _) -> access(row))
                .list());
  }

  /** Takes a token away; whether there was one. */
  public boolean remove(String name) throws StoreException {
    used.forget(name);
    return change("DELETE FROM %s WHERE name = :name", Map.of("name", name));
  }

  @Override
  public boolean role(String name, Role role) throws StoreException {
    return change(
        "UPDATE %s SET role = :role WHERE name = :name", Map.of("name", name, "role", role.name()));
  }

  @Override
  public boolean permit(String name, Permission permission) throws StoreException {
    return change(
        "UPDATE %s SET role = :role, sites = :sites WHERE name = :name", permission.values(name));
  }

  @Override
  public boolean sites(String name, Optional<List<String>> sites) throws StoreException {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("name", name);
    values.put("sites", Permission.stored(sites));
    return change("UPDATE %s SET sites = :sites WHERE name = :name", values);
  }

  private boolean change(String statement, Map<String, ?> values) throws StoreException {
    int changed =
        database.secret(
            handle -> handle.createUpdate(statement.formatted(table)).bindMap(values).execute());
    changes.incrementAndGet();
    byHash.clear();
    return changed > 0;
  }

  /** A token by its name, as is stored now. */
  public Optional<Access> named(String name) throws StoreException {
    return one("name", name);
  }

  private Optional<Access> one(String column, String value) throws StoreException {
    return database.secret(
        handle ->
            handle
                .createQuery("SELECT * FROM %s WHERE %s = :value".formatted(table, column))
                .bind("value", value)
                .map((row, _) -> access(row))
                .findOne());
  }

  private Access access(ResultSet row) throws SQLException {
    String name = row.getString("name");
    Optional<Instant> stored = instant(row, "used_at");
    return new Access(
        name,
        Permission.of(row, Role.valueOf(row.getString("role").toUpperCase(Locale.ROOT))),
        Instant.ofEpochMilli(row.getLong("created_at")),
        instant(row, "ends_at"),
        used.of(name).or(() -> stored));
  }

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
