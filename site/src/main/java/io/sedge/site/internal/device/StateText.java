package io.sedge.site.internal.device;

import io.sedge.ledger.Command;
import io.sedge.task.Printable;
import java.nio.charset.StandardCharsets;

/** What is said of a job's state, in a form that the ledger takes. */
final class StateText {
  private StateText() {}

  /** One printable line, not too long. */
  static String cut(String text) {
    String line = Printable.text(text);
    int length = line.length();
    while (line.substring(0, length).getBytes(StandardCharsets.UTF_8).length
        > Command.MAX_TEXT_BYTES) {
      length = length * 3 / 4;
    }
    return line.substring(0, length);
  }
}
