package io.sedge.ledger;

import java.nio.charset.StandardCharsets;

/** What may be a name in the ledger. */
final class Names {
  /** Bytes of a name in UTF-8, at most. */
  static final int MAX_BYTES = 255;

  /** Bytes of what is made of names. */
  private static final int MAX_TEXT_BYTES = 2 * MAX_BYTES + 2;

  private Names() {}

  /** As {@link #check}, of what is made of two names. */
  static void checkText(String text, String what) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (text.isBlank() || bytes > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "a %s is named by %d bytes, 1 to %d are allowed".formatted(what, bytes, MAX_TEXT_BYTES));
    }
  }

  /**
   * @param what what it names, for the message
   * @throws IllegalArgumentException if it is empty, too long or has control characters
   */
  static void check(String name, String what) {
    checkOrEmpty(name, what);
    if (name.isBlank()) {
      throw new IllegalArgumentException(what + " has no name");
    }
  }

  /** As {@link #check}, but nothing is a name too. */
  static void checkOrEmpty(String name, String what) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "%s has a name of %d bytes, at most %d are allowed".formatted(what, bytes, MAX_BYTES));
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " has a name with control characters");
    }
  }
}
