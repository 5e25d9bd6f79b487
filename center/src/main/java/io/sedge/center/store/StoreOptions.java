package io.sedge.center.store;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the store is and how much it may hold.
 *
 * @param place which database
 * @param queueBytes how many bytes of rows may wait to be applied; beyond it sites are told to come
 *     again
 * @param queries how many queries may run at once
 */
public record StoreOptions(Place place, long queueBytes, int queries) {
  private static final long QUEUE_BYTES = 32L << 20;
  private static final int QUERIES = 4;

  public StoreOptions {
    if (queueBytes < 1 || queries < 1) {
      throw new IllegalArgumentException(
          "a queue of %,d bytes and %d queries at once: 1 at least".formatted(queueBytes, queries));
    }
  }

  /** Which database. */
  public sealed interface Place {}

  /**
   * SQLite in files of a directory, which is made if it is not there and is for its owner alone.
   */
  public record Embedded(Path directory) implements Place {}

  /**
   * A PostgreSQL server.
   *
   * @param url {@code jdbc:postgresql://HOST:PORT/DATABASE}, without user and password
   * @param reader who people's queries are run as; empty for the same user
   */
  public record Postgres(String url, Login login, Optional<Login> reader) implements Place {
    private static final String SCHEME = "jdbc:postgresql:";

    public Postgres {
      if (!url.startsWith(SCHEME)) {
        throw new IllegalArgumentException(
            "the address of a database begins with '%s'".formatted(SCHEME));
      }
      if (url.contains("password=")) {
        throw new IllegalArgumentException(
            "the address of the database has a password in it: give the password apart");
      }
    }
  }

  /** A user of a database. */
  public record Login(String user, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return "Login[user=%s]".formatted(user);
    }
  }

  /** SQLite in a directory. */
  public static StoreOptions embedded(Path directory) {
    return new StoreOptions(new Embedded(directory), QUEUE_BYTES, QUERIES);
  }

  /** A PostgreSQL server, where people's queries are run as the same user. */
  public static StoreOptions postgres(String url, String user, String password) {
    return new StoreOptions(
        new Postgres(url, new Login(user, password), Optional.empty()), QUEUE_BYTES, QUERIES);
  }

  /** The same with people's queries run as another user of the database. */
  public StoreOptions withReader(String user, String password) {
    return switch (place) {
      case Embedded _ -> this;
      case Postgres postgres ->
          new StoreOptions(
              new Postgres(
                  postgres.url(), postgres.login(), Optional.of(new Login(user, password))),
              queueBytes,
              queries);
    };
  }

  /** The same with another bound on what waits. */
  public StoreOptions withQueueBytes(long bytes) {
    return new StoreOptions(place, bytes, queries);
  }

  /** The same with another number of queries at once. */
  public StoreOptions withQueries(int atOnce) {
    return new StoreOptions(place, queueBytes, atOnce);
  }
}
