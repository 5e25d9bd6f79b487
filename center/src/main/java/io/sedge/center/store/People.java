package io.sedge.center.store;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.Hashes;
import io.sedge.center.store.internal.LastUse;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Who may log in, with a password or at a login provider. The store knows hashes of passwords
 * alone, which others make, and hashes of the codes of links. Any thread.
 */
public final class People implements Permitted {
  /** How many there may be. */
  public static final int MAX_PEOPLE = 1_000;

  private static final String NAME = "name";
  private static final String SUBJECT = "subject";
  private static final String ROLE_OF_SUBJECT =
      "UPDATE %s SET role = :role WHERE subject = :subject";
  private static final String SHUT_OUT =
      "UPDATE %s SET shut_out_at = :at WHERE name = :name AND subject IS NOT NULL AND shut_out_at"
          + " IS NULL";
  private static final String LINK =
      "UPDATE %s SET password = NULL, code = :code, code_ends_at = :end"
          + " WHERE name = :name AND subject IS NULL";

  private final Database database;
  private final InstantSource clock;
  private final String table;

  /** How often somebody was changed. */
  private final AtomicInteger changes = new AtomicInteger();

  private final Map<String, Person> byName = new ConcurrentHashMap<>();
  private final LastUse seen;

  People(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.table = database.dialect().secretPrefix() + "sedge_person";
    this.seen = new LastUse(database, table, "seen_at");
  }

  /**
   * Adds a person who sets a password by a link.
   *
   * @param code of the link
   * @throws StoreException NAME_TAKEN, also by a token; TOO_LARGE
   */
  public void invite(String name, Permission permission, String code, Instant codeEndsAt)
      throws StoreException {
    database.changeSecret(
        handle -> {
          insert(handle, name, permission);
          execute(handle, LINK, link(name, code, codeEndsAt));
        });
  }

  /**
   * Adds a person who has set a password.
   *
   * @throws StoreException NAME_TAKEN, also by a token; TOO_LARGE
   */
  public void add(String name, Permission permission, String password) throws StoreException {
    database.changeSecret(
        handle -> {
          insert(handle, name, permission);
          execute(
              handle,
              "UPDATE %s SET password = :password WHERE name = :name",
              Map.of(NAME, name, "password", password));
        });
  }

  /**
   * Gives who has logged in at a provider the role that the provider says; adds who is not known.
   * The sites of who is known stay, and who is shut out stays so.
   *
   * @param name of who is not known
   * @param permission its sites are those of who is not known
   * @throws StoreException NAME_TAKEN, also by a token; TOO_LARGE
   */
  public Person enter(Subject subject, String name, Permission permission) throws StoreException {
    String stored = subject.stored();
    Person person =
        database.secret(
            handle -> {
              Map<String, ?> known = Map.of(SUBJECT, stored, "role", permission.role().name());
              if (execute(handle, ROLE_OF_SUBJECT, known) == 0) {
                insert(handle, name, permission);
                execute(
                    handle,
                    "UPDATE %s SET subject = :subject WHERE name = :name",
                    Map.of(NAME, name, SUBJECT, stored));
              }
              return one(handle, SUBJECT, stored).orElseThrow();
            });
    changed();
    return person;
  }

  /**
   * Refuses a name that somebody has.
   *
   * @throws StoreException NAME_TAKEN, also by a token
   */
  public void checkFree(String name) throws StoreException {
    database.changeSecret(handle -> AccessTokens.refuseTaken(database.dialect(), handle, name));
  }

  /**
   * Refuses somebody new for whom there is no room.
   *
   * @throws StoreException NAME_TAKEN, also by a token; TOO_LARGE
   */
  public void checkRoom(String name) throws StoreException {
    database.changeSecret(handle -> checkRoom(handle, name));
  }

  private void checkRoom(Handle handle, String name) throws StoreException {
    AccessTokens.refuseTaken(database.dialect(), handle, name);
    int people = handle.createQuery("SELECT count(*) FROM " + table).mapTo(Integer.class).one();
    if (people >= MAX_PEOPLE) {
      throw new StoreException(
          Reason.TOO_LARGE,
          "there are %,d people, which is as many as may be: remove some".formatted(people));
    }
  }

  private void insert(Handle handle, String name, Permission permission) throws StoreException {
    checkRoom(handle, name);
    execute(
        handle,
        "INSERT INTO %s (name, role, sites, created_at) VALUES (:name, :role, :sites, :at)",
        values(name, permission, Map.of("at", clock.millis())));
  }

  private static Map<String, ?> values(String name, Permission permission, Map<String, ?> more) {
    Map<String, @Nullable Object> values = permission.values(name);
    values.putAll(more);
    return values;
  }

  private static Map<String, ?> link(String name, String code, Instant endsAt) {
    return Map.of(NAME, name, "code", Hashes.text(code), "end", endsAt.toEpochMilli());
  }

  /** Somebody by name, as is stored now. */
  public Optional<Person> find(String name) throws StoreException {
    return one(NAME, name);
  }

  /** Who is known of a login provider. */
  public Optional<Person> find(Subject subject) throws StoreException {
    return one(SUBJECT, subject.stored());
  }

  /** Who has a link with a code that may still be used. */
  public Optional<Person> invited(String code) throws StoreException {
    return one("code", Hashes.text(code))
        .filter(person -> person.subject().isEmpty())
        .filter(person -> person.linkEndsAt().filter(clock.instant()::isBefore).isPresent());
  }

  private Optional<Person> one(String column, String value) throws StoreException {
    return database.secret(handle -> one(handle, column, value));
  }

  private Optional<Person> one(Handle handle, String column, String value) {
    return handle
        .createQuery("SELECT * FROM %s WHERE %s = :value".formatted(table, column))
        .bind("value", value)
        .map((row, _) -> person(row))
        .findOne();
  }

  /** Somebody who asks for something, and is not shut out; cheap, to be asked at each request. */
  public Optional<Person> asking(String name) throws StoreException {
    Person person = byName.get(name);
    if (person == null) {
      int before = changes.get();
      Optional<Person> stored = find(name);
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      person = stored.get();
      byName.put(name, person);
      if (changes.get() != before) {
        // One may have been changed while it was looked up.
        byName.remove(name);
      }
    }
    return Optional.of(person).filter(found -> !found.isShutOut());
  }

  /** Somebody has asked for something; it is written within a minute. */
  public void seen(String name) {
    seen.mark(name, clock.instant());
  }

  /** Writes who was seen. */
  void writeSeen() throws StoreException {
    seen.write();
  }

  /**
   * Sets a password by a link, which is used with that.
   *
   * @return whether the link could still be used
   */
  public boolean accept(String code, String password) throws StoreException {
    return change(
        "UPDATE %s SET password = :password, code = NULL, code_ends_at = NULL"
            + " WHERE code = :code AND code_ends_at > :now AND subject IS NULL",
        Map.of("password", password, "code", Hashes.text(code), "now", clock.millis()));
  }

  /**
   * Gives a person a link in place of the password.
   *
   * @return whether there is such a person, who does not log in at a provider
   */
  public boolean reset(String name, String code, Instant codeEndsAt) throws StoreException {
    return change(LINK, link(name, code, codeEndsAt));
  }

  /**
   * Sets another password.
   *
   * @param before the hash of the one that is to be replaced
   * @return whether that one was still the person's
   */
  public boolean password(String name, String before, String after) throws StoreException {
    return change(
        "UPDATE %s SET password = :after WHERE name = :name AND password = :before",
        Map.of(NAME, name, "before", before, "after", after));
  }

  @Override
  public boolean role(String name, Role role) throws StoreException {
    return change(
        "UPDATE %s SET role = :role WHERE name = :name", Map.of(NAME, name, "role", role.name()));
  }

  @Override
  public boolean permit(String name, Permission permission) throws StoreException {
    return change(
        "UPDATE %s SET role = :role, sites = :sites WHERE name = :name",
        values(name, permission, Map.of()));
  }

  @Override
  public boolean sites(String name, Optional<List<String>> sites) throws StoreException {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put(NAME, name);
    values.put("sites", Permission.stored(sites));
    return change("UPDATE %s SET sites = :sites WHERE name = :name", values);
  }

  /**
   * Lets in no more who logs in at a provider, whatever that says.
   *
   * @return whether there is such a person, who was not shut out before
   */
  public boolean shutOut(String name) throws StoreException {
    return change(SHUT_OUT, Map.of(NAME, name, "at", clock.millis()));
  }

  /** Forgets a person; whether there was one. */
  public boolean remove(String name) throws StoreException {
    seen.forget(name);
    return change("DELETE FROM %s WHERE name = :name", Map.of(NAME, name));
  }

  private boolean change(String statement, Map<String, ?> values) throws StoreException {
    int changed = database.secret(handle -> execute(handle, statement, values));
    changed();
    return changed > 0;
  }

  private void changed() {
    changes.incrementAndGet();
    byName.clear();
  }

  private int execute(Handle handle, String statement, Map<String, ?> values) {
    return handle.createUpdate(statement.formatted(table)).bindMap(values).execute();
  }

  /** All by name. */
  public List<Person> list() throws StoreException {
    return database.secret(
        handle ->
            handle
                .createQuery("SELECT * FROM %s ORDER BY name".formatted(table))
                .map((row, _) -> person(row))
                .list());
  }

  private Person person(ResultSet row) throws SQLException {
    String name = row.getString(NAME);
    Optional<Instant> stored = AccessTokens.instant(row, "seen_at");
    return new Person(
        name,
        Permission.of(row, Role.valueOf(row.getString("role"))),
        Optional.ofNullable(row.getString(SUBJECT)).map(Subject::of),
        row.getObject("shut_out_at") != null,
        Optional.ofNullable(row.getString("password")),
        Instant.ofEpochMilli(row.getLong("created_at")),
        seen.of(name).or(() -> stored),
        AccessTokens.instant(row, "code_ends_at"));
  }
}
