package io.sedge.cli.internal;

import io.sedge.cli.internal.output.JsonEncoder;
import io.sedge.cli.internal.output.Style;
import io.sedge.sql.Problem;
import java.util.List;

/** Problems of a script as text: place, message, the line with a caret, and what to write. */
final class Problems {
  private static final int MAX_LINE = 160;
  private static final int BEFORE_CARET = 80;

  private final Script script;
  private final boolean colours;

  Problems(Script script, boolean colours) {
    this.script = script;
    this.colours = colours;
  }

  /** All of them, each on some lines, and a last line with their number if there are several. */
  String text(List<Problem> problems) {
    StringBuilder text = new StringBuilder();
    problems.forEach(problem -> append(text, problem));
    if (problems.size() > 1) {
      text.append("%d problems in %s%n".formatted(problems.size(), script.file()));
    }
    return text.toString();
  }

  private void append(StringBuilder text, Problem problem) {
    String place = "%s:%d:%d:".formatted(script.file(), problem.line(), problem.column());
    text.append(Style.BOLD.on(colours, place))
        .append(' ')
        .append(Style.RED.on(colours, problem.message()))
        .append('\n');
    List<String> lines = script.lines();
    if (problem.line() >= 1 && problem.line() <= lines.size()) {
      appendLine(text, problem, lines.get(problem.line() - 1));
    }
    problem
        .remedy()
        .ifPresent(
            remedy ->
                text.append("  ")
                    .append(Style.GREEN.on(colours, "write:"))
                    .append(' ')
                    .append(remedy.replace("\n", "\n         "))
                    .append('\n'));
  }

  private static void appendLine(StringBuilder text, Problem problem, String line) {
    int column = Math.clamp(problem.column(), 1, line.length() + 1);
    int from = Math.max(0, column - 1 - BEFORE_CARET);
    String shown = line.substring(from, Math.min(line.length(), from + MAX_LINE));
    String gutter = "%5d | ".formatted(problem.line());
    text.append(gutter).append(shown.replace('\t', ' ')).append('\n');
    text.append(" ".repeat(gutter.length() - 2))
        .append("| ")
        .append(" ".repeat(column - 1 - from))
        .append("^\n");
  }

  /** A line on something that is accepted all the same. */
  String note(String note) {
    return "sedge: %s %s".formatted(Style.YELLOW.on(colours, "warning:"), note);
  }

  /** All of them as one JSON object. */
  String json(List<Problem> problems, List<String> notes) {
    StringBuilder json = new StringBuilder("{\"file\":");
    JsonEncoder.appendString(json, script.file());
    json.append(",\"ok\":").append(problems.isEmpty()).append(",\"problems\":[");
    for (int i = 0; i < problems.size(); i++) {
      Problem problem = problems.get(i);
      json.append(i == 0 ? "" : ",");
      json.append("{\"line\":").append(problem.line());
      json.append(",\"column\":").append(problem.column());
      json.append(",\"message\":");
      JsonEncoder.appendString(json, problem.message());
      problem
          .remedy()
          .ifPresent(
              remedy -> {
                json.append(",\"remedy\":");
                JsonEncoder.appendString(json, remedy);
              });
      json.append('}');
    }
    json.append("],\"notes\":[");
    for (int i = 0; i < notes.size(); i++) {
      json.append(i == 0 ? "" : ",");
      JsonEncoder.appendString(json, notes.get(i));
    }
    return json.append("]}").toString();
  }
}
