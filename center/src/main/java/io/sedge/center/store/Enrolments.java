package io.sedge.center.store;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.Hashes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Tokens that sites enrol with, each used once; the store knows their hashes alone. Any thread. */
public final class Enrolments {
  private static final long KEEP_MS = 30L * 24 * 60 * 60 * 1_000;

  private final Database database;
  private final InstantSource clock;
  private final String table;

  Enrolments(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
    this.table = database.dialect().secretPrefix() + "sedge_enrolment";
  }

  /**
   * A token.
   *
   * @param id the first digits of its hash
   * @param site the name that it is for; empty for any
   * @param usedBy the site that has used it
   */
  public record Token(
      String id,
      Optional<String> site,
      Instant createdAt,
      Instant endsAt,
      Optional<String> usedBy) {}

  /** Takes a token that was made. Those that ended 30 days ago are forgotten. */
  public void add(String token, Optional<String> site, Instant endsAt) throws StoreException {
    database.changeSecret(
        handle -> {
          handle
              .createUpdate("DELETE FROM %s WHERE ends_at < :before".formatted(table))
              .bind("before", clock.millis() - KEEP_MS)
              .execute();
          handle
              .createUpdate(
                  "INSERT INTO %s (hash, site, created_at, ends_at) VALUES (:hash, :site, :at, :end)"
                      .formatted(table))
              .bind("hash", Hashes.text(token))
              .bind("site", site.orElse(null))
              .bind("at", clock.millis())
              .bind("end", endsAt.toEpochMilli())
              .execute();
        });
  }

  /**
   * Uses a token.
   *
   * @param wanted the name that the site asks for; empty for the one that the token is for
   * @param fingerprint of the site's key
   * @return the name that the site is to have; empty if neither says one
   * @throws StoreException TOKEN_REFUSED
   */
  public Optional<String> use(String token, Optional<String> wanted, String fingerprint)
      throws StoreException {
    return database.secret(handle -> use(handle, Hashes.text(token), wanted, fingerprint));
  }

  private Optional<String> use(
      Handle handle, String hash, Optional<String> wanted, String fingerprint)
      throws StoreException {
    Stored stored =
        handle
            .createQuery(
                "SELECT * FROM %s WHERE hash = :hash%s"
                    .formatted(table, database.dialect().lockSuffix()))
            .bind("hash", hash)
            .map(
                (row, _) ->
                    new Stored(token(row), Optional.ofNullable(row.getString("fingerprint"))))
            .findOne()
            .orElseThrow(
                () ->
                    new StoreException(
                        Reason.TOKEN_REFUSED, "this center has not made that token, or it is old"));
    Token token = stored.token();
    if (!clock.instant().isBefore(token.endsAt())) {
      throw new StoreException(
          Reason.TOKEN_REFUSED,
          "the token has ended at %s: make another".formatted(token.endsAt()));
    }
    if (stored.fingerprint().isPresent()) {
      throw new StoreException(
          Reason.TOKEN_REFUSED, "the token was used already: make one for each site");
    }
    if (token.site().isPresent() && wanted.isPresent() && !wanted.equals(token.site())) {
      throw new StoreException(
          Reason.TOKEN_REFUSED,
          "the token is for a site called '%s', not '%s'"
              .formatted(token.site().get(), wanted.get()));
    }
    Optional<String> name = token.site().or(() -> wanted);
    handle
        .createUpdate(
            "UPDATE %s SET used_by = :site, fingerprint = :fingerprint, used_at = :at WHERE hash = :hash"
                .formatted(table))
        .bind("site", name.orElse(""))
        .bind("fingerprint", fingerprint)
        .bind("at", clock.millis())
        .bind("hash", hash)
        .execute();
    return name;
  }

  /** Gives a token back that led to nothing. */
  public void release(String token, String fingerprint) throws StoreException {
    database.changeSecret(
        handle ->
            handle
                .createUpdate(
                    "UPDATE %s SET used_by = NULL, fingerprint = NULL, used_at = NULL WHERE hash = :hash AND fingerprint = :fingerprint"
                        .formatted(table))
                .bind("hash", Hashes.text(token))
                .bind("fingerprint", fingerprint)
                .execute());
  }

  private record Stored(Token token, Optional<String> fingerprint) {}

  /** Tokens, the latest first. */
  public List<Token> list() throws StoreException {
    return database.secret(
        handle ->
            handle
                .createQuery("SELECT * FROM %s ORDER BY created_at DESC, hash".formatted(table))
                .map((row, _) -> token(row))
                .list());
  }

  /** Forgets a token by its id; whether there was one. */
  public boolean remove(String id) throws StoreException {
    return database.secret(
        handle ->
            handle
                    .createUpdate(
                        "DELETE FROM %s WHERE substr(hash, 1, %d) = :id"
                            .formatted(table, Hashes.ID_LENGTH))
                    .bind("id", id)
                    .execute()
                > 0);
  }

  private static Token token(ResultSet row) throws SQLException {
    return new Token(
        Hashes.id(row.getString("hash")),
        Optional.ofNullable(row.getString("site")),
        Instant.ofEpochMilli(row.getLong("created_at")),
        Instant.ofEpochMilli(row.getLong("ends_at")),
        Optional.ofNullable(row.getString("used_by")));
  }
}
