package io.sedge.cli.internal;

import io.sedge.center.CenterClient;
import io.sedge.center.CenterException;
import io.sedge.center.store.QueryResult;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sedge center query}. */
@Command(
    name = "query",
    header = "Asks what has arrived, in SQL that cannot write.",
    description = {
      "Each table of results has its name, and the columns _site, _job, _stream and _seq besides",
      "its own. A query runs for 30 seconds at most."
    },
    footer = {
      "Examples:",
      "  sedge center query 'SELECT * FROM machines ORDER BY window_end DESC LIMIT 10'",
      "  sedge center query --output csv - < question.sql > answer.csv"
    })
final class CenterQueryCommand extends CenterCommand {
  /** The forms of results; the names are what the user writes. */
  enum Form {
    text,
    csv,
    json
  }

  @Parameters(paramLabel = "SQL", description = "The query; - for standard input.")
  private String sql = "";

  @Option(
      names = "--output",
      paramLabel = "FORM",
      order = 91,
      defaultValue = "text",
      description = "How rows are shown: ${COMPLETION-CANDIDATES}; json: an object a line.")
  private Form output = Form.text;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "How many rows at most (default: 10,000; at most 1,000,000).")
  private @Nullable Long limit;

  CenterQueryCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  void ask(CenterClient center, Answers answers)
      throws CenterException, SiteException, InterruptedException {
    ResultText text = ResultText.of(output, answers);
    QueryResult result = center.query(sql(), Optional.ofNullable(limit), text);
    text.end();
    if (!result.complete()) {
      say(
          "these are the first %,d rows, a limit has cut the rest off; --limit N gives more"
              .formatted(result.rows()));
    }
  }

  private String sql() throws SiteException {
    if (!sql.equals(Script.STANDARD_INPUT)) {
      return sql;
    }
    try {
      return new String(surroundings().in().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.FILE_NOT_READABLE, "standard input cannot be read: " + e, e);
    }
  }
}
