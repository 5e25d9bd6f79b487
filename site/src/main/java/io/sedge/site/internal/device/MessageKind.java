package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import java.util.regex.Pattern;

/**
 * What repeats of a message are told by: its text but for its numbers. Numbers are words of digits
 * alone, with signs and a unit ({@code 30 s}, {@code 1,024}, {@code 12%}, {@code
 * 2026-11-21T12:00}); digits in a name ({@code gateway-2}) and addresses ({@code 10.0.0.7}) are
 * not, but for an address's port.
 *
 * @param text the message with a # for each number
 */
record MessageKind(Severity severity, String task, String text) {
  private static final Pattern BLANKS = Pattern.compile("(?<=\\s)|(?=\\s)");
  private static final Pattern NUMBER =
      Pattern.compile(
          "[(\\[{'\"+-]*\\d[\\d.,:%TZ+-]*(?:ns|us|ms|s|min|h|d|B|KB|MB|GB)?[)\\]}'\";:,.]*");
  private static final Pattern ADDRESS =
      Pattern.compile("[(/]*\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?[),;:.]*");
  private static final Pattern PORT = Pattern.compile(":\\d+");

  static MessageKind of(Severity severity, String task, String message) {
    StringBuilder kind = new StringBuilder(message.length());
    for (String word : BLANKS.split(message, -1)) {
      if (ADDRESS.matcher(word).matches()) {
        kind.append(PORT.matcher(word).replaceFirst(""));
      } else {
        kind.append(NUMBER.matcher(word).matches() ? "#" : word);
      }
    }
    return new MessageKind(severity, task, kind.toString());
  }
}
