package io.sedge.flink.cluster.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a stack trace of Flink's says to people. */
public final class Traces {
  private static final String REFUSAL = "io.sedge.flink.runner.ScriptException: ";
  private static final Pattern FRAMES =
      Pattern.compile("\\R\\s*(?:at |\\.\\.\\. \\d+ more|Caused by: )");
  private static final Pattern CAUSE = Pattern.compile("(?m)^\\s*Caused by: ");
  private static final Pattern CLASS = Pattern.compile("^(?:[\\w$]+\\.)+[\\w$]+: ");
  private static final int MAX_TEXT = 2_000;

  private Traces() {}

  /** What the runner has said of a statement, if the trace is of that. */
  public static Optional<String> refusal(String trace) {
    int begin = trace.lastIndexOf(REFUSAL);
    return begin < 0
        ? Optional.empty()
        : Optional.of(head(trace.substring(begin + REFUSAL.length())));
  }

  /** The innermost cause. */
  public static String cause(String trace) {
    Matcher matcher = CAUSE.matcher(trace);
    int begin = 0;
    while (matcher.find()) {
      begin = matcher.end();
    }
    return CLASS.matcher(head(trace.substring(begin))).replaceFirst("");
  }

  private static String head(String text) {
    Matcher frames = FRAMES.matcher(text);
    String head = (frames.find() ? text.substring(0, frames.start()) : text).strip();
    String line = head.replaceAll("\\s+", " ");
    return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT);
  }
}
