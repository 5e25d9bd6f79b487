package io.sedge.flink.cluster;

import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Flink's planner does not take, with the place in the script that it is about. */
final class Refusal {
  /** The runner writes it. */
  private static final Pattern LINE = Pattern.compile("line (\\d+): (.*)", Pattern.DOTALL);

  /** Flink reads a value when it is first asked for, whichever statement that is in. */
  private static final Pattern SETTING =
      Pattern.compile("Could not parse value .*for key '([^']+)'");

  private static final Pattern NO_FACTORY =
      Pattern.compile("Could not find any (?:format )?factory for identifier '([^']+)'");

  private Refusal() {}

  /**
   * The failure for what the runner has said.
   *
   * @throws SqlException if it stands in the script
   * @return the failure if it does not
   */
  static JobException of(String message, FlinkScript script) throws SqlException {
    Matcher statement = LINE.matcher(message);
    boolean known = statement.matches();
    String text = "Flink does not take " + (known ? "this: " + statement.group(2) : message);
    Matcher key = SETTING.matcher(message);
    FlinkScript.Setting setting = key.find() ? script.settings().get(key.group(1)) : null;
    if (setting != null && setting.line() == 0) {
      return new JobException(
          FailureCode.USAGE, "--set %s=%s: %s".formatted(key.group(1), setting.value(), text));
    }
    Optional<String> remedy = remedy(text);
    if (setting == null && !known) {
      return new JobException(
          FailureCode.SCRIPT_NOT_ACCEPTED, text + remedy.map("; write %s"::formatted).orElse(""));
    }
    int line = setting == null ? Integer.parseInt(statement.group(1)) : setting.line();
    throw new SqlException(List.of(new Problem(line, 1, text, remedy)));
  }

  private static Optional<String> remedy(String text) {
    Matcher factory = NO_FACTORY.matcher(text);
    return factory.find()
        ? Optional.of(
            "nothing else, but give Flink's jar for '%s' with --jar, or put it into the cluster's lib directory"
                .formatted(factory.group(1)))
        : Optional.empty();
  }
}
