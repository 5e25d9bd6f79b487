package io.sedge.connector.jdbc.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A MariaDB server of the machine's package, with data of its own. Ends with the JVM. */
public final class MariaServer {
  private static final Path PROGRAM = Path.of("/usr/sbin/mariadbd");
  private static final Path SCRIPTS = Path.of("/usr/share/mysql");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port;

  private MariaServer(int port) {
    this.port = port;
  }

  public static boolean isInstalled() {
    return Files.isExecutable(PROGRAM) && Files.exists(SCRIPTS.resolve("mysql_system_tables.sql"));
  }

  /** A server with the user sedge, password plant, and the database sedge. */
  static MariaServer start(Path directory) {
    try {
      Path data = Files.createDirectories(directory.resolve("data"));
      makeSystemTables(directory, data);
      Path first = directory.resolve("first.sql");
      Files.writeString(
          first,
          """
          CREATE USER IF NOT EXISTS 'sedge'@'%' IDENTIFIED BY 'plant';
          GRANT ALL ON *.* TO 'sedge'@'%';
          CREATE DATABASE IF NOT EXISTS sedge;
          """);
      int port = freePort();
      Process process =
          server(
                  directory,
                  data,
                  "--socket=" + directory.resolve("s"),
                  "--port=" + port,
                  "--bind-address=127.0.0.1",
                  "--skip-name-resolve",
                  "--init-file=" + first)
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "mariadbd-end"));
      awaitLogin(process, port, directory);
      return new MariaServer(port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What mariadb-install-db does, which needs programs of further packages. */
  private static void makeSystemTables(Path directory, Path data) throws IOException {
    Process process = server(directory, data, "--bootstrap").start();
    try (OutputStream input = process.getOutputStream()) {
      input.write(
          "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n".getBytes(UTF_8));
      for (String script : List.of("mysql_system_tables.sql", "mysql_system_tables_data.sql")) {
        input.write(Files.readAllBytes(SCRIPTS.resolve(script)));
      }
    }
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(
            "MariaDB makes no system tables: " + Files.readString(directory.resolve("log")));
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static ProcessBuilder server(Path directory, Path data, String... more) {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            PROGRAM.toString(),
            "--no-defaults",
            "--datadir=" + data,
            "--user=" + System.getProperty("user.name"),
            "--innodb-buffer-pool-size=32M",
            "--innodb-flush-log-at-trx-commit=0"));
    Stream.of(more).forEach(command::add);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void awaitLogin(Process process, int port, Path directory) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:%d/sedge".formatted(port), "sedge", "plant")
            .close();
        return;
      } catch (SQLException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException(
              "MariaDB does not start: " + Files.readString(directory.resolve("log")), e);
        }
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    }
  }

  public int port() {
    return port;
  }
}
