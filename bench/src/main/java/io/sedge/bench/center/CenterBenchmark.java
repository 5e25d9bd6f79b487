package io.sedge.bench.center;

import io.sedge.bench.Directories;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a center takes from its sites, and what it costs them. One thread. */
public final class CenterBenchmark {
  private final Path sedge;
  private final Path directory;
  private final Plan plan;
  private final PrintStream progress;

  /**
   * What is measured.
   *
   * @param rows of three sites, in a round
   * @param sites that reconnect at once
   * @param windows that each of them has waiting, of 50 rows each
   * @param seconds for which a site that reports warms up, and for which it is measured
   * @param rounds of rows and of the cost
   */
  public record Plan(int rows, int sites, int windows, int seconds, int rounds) {}

  /**
   * @param sedge the command
   * @param directory is made and removed
   */
  public CenterBenchmark(Path sedge, Path directory, Plan plan, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures, and prints tables. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    Database embedded = Database.embedded(directory);
    try {
      rowsIn(embedded, out);
      new Reconnection(sedge, directory, plan.sites(), plan.windows(), progress).run(embedded, out);
      new ReportingCost(sedge, directory, plan.seconds(), plan.rounds(), progress)
          .run(embedded, out);
    } finally {
      Directories.remove(directory);
    }
  }

  private void rowsIn(Database embedded, PrintStream out) throws IOException {
    Optional<Postgres> server = postgres();
    try {
      List<Database> databases = new ArrayList<>(List.of(embedded));
      if (server.isPresent()) {
        databases.add(server.get().database());
      }
      new RowsIn(sedge, directory, plan.rows(), plan.rounds(), progress).run(databases, out);
    } catch (SQLException e) {
      throw new IOException(e);
    } finally {
      if (server.isPresent()) {
        server.get().close();
      }
    }
  }

  /** Its binaries are for some systems only. */
  private Optional<Postgres> postgres() {
    try {
      return Optional.of(new Postgres(directory.resolve("postgres")));
    } catch (IOException | IllegalStateException e) {
      progress.printf("PostgreSQL is left out: it cannot be started here: %s%n", e.getMessage());
      return Optional.empty();
    }
  }
}
