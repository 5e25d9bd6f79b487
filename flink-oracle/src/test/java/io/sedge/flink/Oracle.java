package io.sedge.flink;

import io.sedge.sql.SqlException;
import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Both engines over the same tables. One thread. */
final class Oracle {
  private final Flink flink;
  private final Sedge sedge;
  private final Path directory;
  private final String tables;

  /**
   * @param directory where the tables' files are made
   */
  Oracle(Flink flink, Path directory, long seed) throws IOException {
    new TestData(seed).write(directory);
    this.flink = flink;
    this.directory = directory;
    sedge = new Sedge(directory);
    tables = "SET 'table.local-time-zone' = 'UTC';\n" + located(Case.text("/tables.sql"));
  }

  /** A script with the folder of the tables in the place of {@code ${dir}}. */
  String located(String script) {
    return script.replace("${dir}", directory.toAbsolutePath().toString());
  }

  /** What Flink answers to queries that come after the same statements. */
  List<Answer> flink(String statements, List<String> queries) throws IOException {
    return flink.run(tables + statements, queries);
  }

  Answer sedge(String statements, String query) throws InterruptedException {
    try {
      return new Answer.Rows(sedge.run(tables + statements + "\n" + query + ";\n"));
    } catch (SqlException e) {
      return new Answer.Refusal(e.problems());
    } catch (JobException e) {
      return switch (e.code()) {
        case EVALUATION_FAILED -> new Answer.Failure(String.valueOf(e.getMessage()));
        default -> throw new AssertionError("Sedge fails in " + query, e);
      };
    }
  }
}
