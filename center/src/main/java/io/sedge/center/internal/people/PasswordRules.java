package io.sedge.center.internal.people;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a password must be, after NIST SP 800-63B, 5.1.1.2: long, not the name, and none of those
 * that everybody tries first. Nothing is asked of which characters it has.
 */
public final class PasswordRules {
  static final int LEAST = 12;
  static final int MOST = 128;

  /** Fewer different characters are one that is repeated. */
  private static final int LEAST_DIFFERENT = 5;

  private static final Set<String> COMMON = common();

  private PasswordRules() {}

  private static Set<String> common() {
    try (InputStream text = PasswordRules.class.getResourceAsStream("common-passwords.txt")) {
      if (text == null) {
        throw new IllegalStateException("the list of common passwords is missing");
      }
      return new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8))
          .lines()
          .filter(line -> !line.startsWith("#"))
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether nobody has such a password: it is longer than any that was accepted. */
  static boolean isTooLong(String password) {
    return password.codePointCount(0, password.length()) > MOST;
  }

  /** Why a password is not accepted; empty if it is. It never repeats the password. */
  public static Optional<String> refusal(String name, String password) {
    int length = password.codePointCount(0, password.length());
    if (length < LEAST || length > MOST) {
      return Optional.of(
          "the password has %d characters: from %d to %d are allowed"
              .formatted(length, LEAST, MOST));
    }
    String lower = password.toLowerCase(Locale.ROOT);
    if (letters(lower).equals(letters(name.toLowerCase(Locale.ROOT)))) {
      return Optional.of("the password is the name: take one that others cannot think of");
    }
    if (COMMON.contains(lower) || lower.chars().distinct().count() < LEAST_DIFFERENT) {
      return Optional.of(
          "the password is among those that are tried first: take another one, such as four words"
              + " that have nothing to do with each other");
    }
    return Optional.empty();
  }

  /** Without digits, blanks and signs, which are what people add; all of it if there are none. */
  private static String letters(String text) {
    String letters = text.replaceAll("[^\\p{L}]", "");
    return letters.isEmpty() ? text : letters;
  }
}
