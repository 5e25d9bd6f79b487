package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Explorer;
import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Content;
import io.sedge.connector.Findings.Found;
import io.sedge.connector.Findings.Unread;
import io.sedge.connector.Options;
import io.sedge.connector.Suggestions;
import io.sedge.connector.jdbc.internal.Catalog.Entry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of a database, with columns of Sedge's types. */
public final class DatabaseExplorer implements Explorer {
  private static final String SCHEME = "jdbc:";

  /** Any table gets so long, whatever is left. */
  private static final Duration LEAST = Duration.ofMillis(200);

  @Override
  public List<String> addresses() {
    return List.of(
        "jdbc:postgresql://HOST:5432/NAME", "jdbc:mariadb://HOST:3306/NAME", "jdbc:sqlite:FILE");
  }

  @Override
  public boolean isFor(String address) {
    return address.startsWith(SCHEME);
  }

  @Override
  public Map<String, String> connection(String address) {
    return Map.of(JdbcOptions.URL, address);
  }

  @Override
  public Findings explore(Search search, ConnectorContext context) {
    Options options = Options.of(search.table(), JdbcOptions.ALL);
    Database database = Database.of(search.table(), options, context, Database.Use.LOOK);
    long end = context.nanoTime() + search.atMost().toNanos();
    try (Connection connection = database.connect()) {
      Catalog catalog = new Catalog(connection, database.dialect(), context::nanoTime);
      Catalog.Entries wanted =
          search.name().isEmpty()
              ? catalog.list()
              : new Catalog.Entries(List.of(named(search.name().get(), catalog, database)), 0);
      List<Found> found = new ArrayList<>();
      int looked = 0;
      for (Entry entry : wanted.entries()) {
        boolean looks =
            search.name().isPresent()
                || (!entry.name().equals(Delivered.NAME)
                    && looked < search.most()
                    && context.nanoTime() < end);
        looked += looks ? 1 : 0;
        Duration left = Duration.ofNanos(end - context.nanoTime());
        found.add(
            new Found(
                entry.path(),
                List.of(String.valueOf(entry.columns())),
                Map.of(JdbcOptions.TABLE, entry.path()),
                looks ? content(catalog, connection, entry, share(search, left)) : new Unread("")));
      }
      return new Findings(
          database.toString(), List.of("table", "columns"), found, wanted.leftOut());
    } catch (SQLException e) {
      throw Failures.external("%s: %s".formatted(database, Failures.explain(e)), e);
    }
  }

  /** One of many tables gets half of what is left, so that others are read behind a slow one. */
  private static Duration share(Search search, Duration left) {
    Duration share = search.name().isPresent() ? left : left.dividedBy(2);
    return share.compareTo(LEAST) < 0 ? LEAST : share;
  }

  private static Entry named(String name, Catalog catalog, Database database) throws SQLException {
    List<Entry> named = catalog.named(name);
    if (!named.isEmpty()) {
      return named.getFirst();
    }
    Optional<String> near =
        Suggestions.closest(name, catalog.list().entries().stream().map(Entry::path).toList())
            .map("; did you mean %s?"::formatted);
    throw Failures.external(
        "%s: there is no table %s (upper and lower case count), or this user may not see it%s"
            .formatted(database, name, near.orElse("")),
        new SQLException("no such table"));
  }

  /** What a user may see and not read is said, and the others are looked at. */
  private static Content content(
      Catalog catalog, Connection connection, Entry entry, Duration atMost) throws SQLException {
    if (entry.name().contains(".") || entry.schema().contains(".")) {
      return new Unread(
          "its name has a dot, which '%s' takes for the end of a schema"
              .formatted(JdbcOptions.TABLE));
    }
    try {
      return catalog.columns(entry, atMost);
    } catch (SQLException e) {
      if (!connection.isValid(1)) {
        throw e;
      }
      connection.rollback();
      return new Unread(Failures.isTooLong(e) ? "it takes too long" : Failures.explain(e));
    }
  }
}
