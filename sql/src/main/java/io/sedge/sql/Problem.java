package io.sedge.sql;

import java.util.Optional;

/**
 * Something in a script that is not accepted.
 *
 * @param line 1 is the first
 * @param column 1 is the first
 * @param message what was read and why it cannot be
 * @param remedy what to write instead, where that is known
 */
public record Problem(int line, int column, String message, Optional<String> remedy) {
  /** As one line: {@code line 3:7: …. Write: …}. */
  @Override
  public String toString() {
    return "line %d:%d: %s%s"
        .formatted(line, column, message, remedy.map(text -> ". Write: " + text).orElse(""));
  }
}
