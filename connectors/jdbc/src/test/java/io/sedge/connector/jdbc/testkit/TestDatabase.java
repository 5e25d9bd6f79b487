package io.sedge.connector.jdbc.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** The databases that tests run on. Servers are started once and end with the JVM. */
public enum TestDatabase {
  POSTGRESQL {
    @Override
    public Place fresh(Path directory) {
      int port = Servers.POSTGRES.port();
      String name = "test" + COUNT.incrementAndGet();
      new Place("jdbc:postgresql://localhost:%d/postgres".formatted(port), "postgres", "postgres")
          .execute("CREATE DATABASE " + name);
      return new Place(
          "jdbc:postgresql://localhost:%d/%s".formatted(port, name), "postgres", "postgres");
    }
  },
  MARIADB {
    @Override
    public Place fresh(Path directory) {
      Assumptions.assumeTrue(
          MariaServer.isInstalled(), "mariadbd is not installed (Debian: mariadb-server-core)");
      int port = Servers.Maria.SERVER.port();
      String name = "test" + COUNT.incrementAndGet();
      new Place("jdbc:mariadb://127.0.0.1:%d/sedge".formatted(port), "sedge", "plant")
          .execute("CREATE DATABASE " + name);
      return new Place("jdbc:mariadb://127.0.0.1:%d/%s".formatted(port, name), "sedge", "plant");
    }
  },
  SQLITE {
    @Override
    public Place fresh(Path directory) {
      Path file = directory.resolve("test%d.db".formatted(COUNT.incrementAndGet()));
      Place place = new Place("jdbc:sqlite:" + file, "", "");
      place.execute("PRAGMA user_version = 1"); // Makes the file.
      return place;
    }
  };

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** A database that nobody has used; the test is skipped where its server is not installed. */
  public abstract Place fresh(Path directory);

  private static final class Servers {
    static final PostgresServer POSTGRES = PostgresServer.start(temporary("postgres"));

    private static final class Maria {
      static final MariaServer SERVER = MariaServer.start(temporary("maria"));
    }

    private static Path temporary(String name) {
      try {
        return Files.createTempDirectory("sedge-" + name);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Where a database is, and what somebody else does with it.
   *
   * @param user empty for none
   */
  public record Place(String url, String user, String password) {
    public Connection connect() throws SQLException {
      return user.isEmpty()
          ? DriverManager.getConnection(url)
          : DriverManager.getConnection(url, user, password);
    }

    public void execute(String... statements) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        for (String text : statements) {
          statement.execute(text);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(String.join("; ", statements), e);
      }
    }

    /** The rows of a query, each its values with blanks between. */
    public List<String> query(String text) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(text)) {
        List<String> rows = new ArrayList<>();
        while (result.next()) {
          StringBuilder row = new StringBuilder();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.append(i == 1 ? "" : " ").append(result.getString(i));
          }
          rows.add(row.toString());
        }
        return rows;
      } catch (SQLException e) {
        throw new IllegalStateException(text, e);
      }
    }

    /** The options of a table there. */
    public Map<String, String> options(String table) {
      Map<String, String> options = new HashMap<>();
      options.put("url", url);
      options.put("table-name", table);
      if (!user.isEmpty()) {
        options.put("username", user);
        options.put("password", password);
      }
      return options;
    }

    /** The same by another port of this machine. */
    public Place through(int port) {
      return new Place(url.replaceFirst(":\\d+/", ":%d/".formatted(port)), user, password);
    }

    public int port() {
      return Integer.parseInt(url.replaceFirst(".*:(\\d+)/.*", "$1"));
    }
  }
}
