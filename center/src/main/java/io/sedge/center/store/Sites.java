package io.sedge.center.store;

import io.sedge.center.store.Site.State;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.Schemas;
import io.sedge.task.Printable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;

/** The sites that may report. What was asked for by fingerprint is remembered. Any thread. */
public final class Sites {
  private static final Duration SEEN = Duration.ofMinutes(1);

  /** As of a device, in any script. */
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}\\p{Nd}][\\p{L}\\p{M}\\p{Nd}._-]{0,62}");

  private static final int MAX_REMEMBERED = 10_000;
  private static final String SELECT = "SELECT * FROM sedge_site";

  private final Database database;
  private final InstantSource clock;
  private final Map<String, Site> byFingerprint = new ConcurrentHashMap<>();

  /** When each site was last written to have been seen. */
  private final Map<String, Instant> seen = new ConcurrentHashMap<>();

  Sites(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Admits a site. The same ledger may enrol anew under its name, with another key; a site that was
   * shut out is admitted again. Another ledger may have the name of a site that was shut out: it is
   * that site made anew, in another generation.
   *
   * @throws StoreException NAME_TAKEN if another ledger has the name, or the ledger another name;
   *     as {@link #checkName}
   */
  public Site enrol(String name, String ledger, String fingerprint) throws StoreException {
    checkName(name);
    Site site = database.write(handle -> enrol(handle, name, ledger, fingerprint));
    byFingerprint.clear();
    return site;
  }

  /**
   * Refuses a name that no new site may have; one that a site has already is good, whatever it is.
   *
   * @throws StoreException MALFORMED, with what is allowed; NAME_TAKEN if it is the center's own
   */
  public void checkName(String name) throws StoreException {
    if (name.equals(Merges.CENTER)) {
      throw new StoreException(
          Reason.NAME_TAKEN,
          "'%s' is what the center calls its own rows: call the site otherwise".formatted(name));
    }
    if (!NAME.matcher(name).matches() && find(name).isEmpty()) {
      throw new StoreException(
          Reason.MALFORMED,
          "a site cannot be called '%s': letters, digits, dots, dashes and underscores are allowed, 63 at most, a letter or digit first"
              .formatted(Printable.text(name)));
    }
  }

  private Site enrol(Handle handle, String name, String ledger, String fingerprint)
      throws StoreException {
    refuseOther(handle, name, ledger, fingerprint);
    int known =
        handle
            .createUpdate(
                "UPDATE sedge_site SET fingerprint = :fingerprint, state = :state,"
                    + " generation = generation + CASE WHEN ledger = :ledger THEN 0 ELSE 1 END,"
                    + " held = CASE WHEN ledger = :ledger THEN held ELSE NULL END,"
                    + " ledger = :ledger, enrolled_at = :at WHERE name = :name")
            .bind("ledger", ledger)
            .bind("fingerprint", fingerprint)
            .bind("state", State.ACTIVE.name())
            .bind("at", clock.millis())
            .bind("name", name)
            .execute();
    if (known == 0) {
      handle
          .createUpdate(
              "INSERT INTO sedge_site (name, ledger, fingerprint, state, labels, enrolled_at,"
                  + " generation) VALUES (:name, :ledger, :fingerprint, :state, '{}', :at, 0)")
          .bind("name", name)
          .bind("ledger", ledger)
          .bind("fingerprint", fingerprint)
          .bind("state", State.ACTIVE.name())
          .bind("at", clock.millis())
          .execute();
    }
    return find(handle, name).orElseThrow();
  }

  private static void refuseOther(Handle handle, String name, String ledger, String fingerprint)
      throws StoreException {
    List<Site> others =
        handle
            .createQuery(
                SELECT + " WHERE name = :name OR ledger = :ledger OR fingerprint = :fingerprint")
            .bind("name", name)
            .bind("ledger", ledger)
            .bind("fingerprint", fingerprint)
            .map((row, _) -> site(row))
            .list();
    for (Site other : others) {
      boolean passesOn = other.name().equals(name) && other.state() == State.REVOKED;
      if (!other.ledger().equals(ledger) && other.name().equals(name) && !passesOn) {
        throw new StoreException(
            Reason.NAME_TAKEN,
            "another site is called '%s': choose another name; if it is that site made anew, shut the one before out first (`sedge center site revoke %s`)"
                .formatted(name, name));
      }
      if (!other.name().equals(name)) {
        throw new StoreException(
            Reason.NAME_TAKEN,
            "this site is known as '%s' already: enrol it under that name".formatted(other.name()));
      }
    }
  }

  /** All sites by name. */
  public List<Site> list() throws StoreException {
    return database.read(
        handle ->
            handle
                .createQuery(SELECT + " WHERE name <> :center ORDER BY name")
                .bind("center", Merges.CENTER)
                .map((row, _) -> site(row))
                .list());
  }

  /** A site by name. */
  public Optional<Site> find(String name) throws StoreException {
    return database.read(handle -> find(handle, name));
  }

  private static Optional<Site> find(Handle handle, String name) {
    return handle
        .createQuery(SELECT + " WHERE name = :name")
        .bind("name", name)
        .map((row, _) -> site(row))
        .findOne();
  }

  /** The site that has a key, whatever its state; cheap, to be asked at each request. */
  public Optional<Site> byFingerprint(String fingerprint) throws StoreException {
    Site known = byFingerprint.get(fingerprint);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<Site> found =
        database.read(
            handle ->
                handle
                    .createQuery(SELECT + " WHERE fingerprint = :fingerprint")
                    .bind("fingerprint", fingerprint)
                    .map((row, _) -> site(row))
                    .findOne());
    if (found.isPresent()) {
      if (byFingerprint.size() >= MAX_REMEMBERED) {
        byFingerprint.clear();
      }
      byFingerprint.put(fingerprint, found.get());
    }
    return found;
  }

  /**
   * Shuts a site out.
   *
   * @throws StoreException UNKNOWN_SITE
   */
  public void revoke(String name) throws StoreException {
    update(name, "state = :value", State.REVOKED.name());
  }

  /**
   * Gives a site labels in place of those that it had.
   *
   * @throws StoreException UNKNOWN_SITE
   */
  public void label(String name, Map<String, String> labels) throws StoreException {
    update(name, "labels = :value", Schemas.text(labels));
  }

  /**
   * A person says that a site was restored from an older state: its streams begin anew, in another
   * generation. Rows that are stored stay.
   *
   * @return the new generation
   * @throws StoreException UNKNOWN_SITE
   */
  public int acceptRestored(String name) throws StoreException {
    update(name, "generation = generation + :value, held = NULL", 1);
    return find(name).orElseThrow().generation();
  }

  private void update(String name, String change, Object value) throws StoreException {
    int changed =
        database.write(
            handle ->
                handle
                    .createUpdate("UPDATE sedge_site SET " + change + " WHERE name = :name")
                    .bind("value", value)
                    .bind("name", name)
                    .execute());
    byFingerprint.clear();
    if (changed == 0) {
      throw new StoreException(Reason.UNKNOWN_SITE, "no site is called '%s'".formatted(name));
    }
  }

  /** A site was heard of; written once a minute at most. */
  public void seen(String name) throws StoreException {
    Instant now = clock.instant();
    Instant before = seen.get(name);
    // A clock that was put back counts as a minute too.
    if (before != null && Duration.between(before, now).abs().compareTo(SEEN) < 0) {
      return;
    }
    seen.put(name, now);
    database.change(
        handle ->
            handle
                .createUpdate("UPDATE sedge_site SET seen_at = :at WHERE name = :name")
                .bind("at", now.toEpochMilli())
                .bind("name", name)
                .execute());
  }

  /** Another has changed sites. */
  void forget() {
    byFingerprint.clear();
  }

  private static Site site(ResultSet row) throws SQLException {
    long seenAt = row.getLong("seen_at");
    boolean wasSeen = !row.wasNull();
    return new Site(
        row.getString("name"),
        row.getString("ledger"),
        row.getString("fingerprint"),
        State.valueOf(row.getString("state")),
        Schemas.labels(row.getString("labels")),
        Instant.ofEpochMilli(row.getLong("enrolled_at")),
        wasSeen ? Optional.of(Instant.ofEpochMilli(seenAt)) : Optional.empty(),
        row.getInt("generation"),
        Optional.ofNullable(row.getString("held")));
  }
}
