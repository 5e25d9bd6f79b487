package io.sedge.connector;

import java.util.regex.Pattern;

/** Which options hold secrets: their keys say so, as they do in most software. */
public final class SecretKeys {
  /**
   * Such keys as a regular expression, for any case; those that say where a secret is are in it.
   */
  public static final String PATTERN =
      "[\\w.-]{0,40}(?:passw|passphrase|secret|token|credential|api[_-]?key|access[_-]?key|private|jaas|auth(?!ority|or\\b))[\\w.-]{0,40}";

  private static final Pattern KEY = Pattern.compile("(?i)" + PATTERN);

  /** Keys that say where a secret is, or of what kind, not what it is. */
  private static final Pattern WHERE = Pattern.compile("(?i).*(?:file|path|location|type|url)");

  private SecretKeys() {}

  /** Whether the value of this option is a secret. */
  public static boolean isSecret(String key) {
    return KEY.matcher(key).matches() && !WHERE.matcher(key).matches();
  }
}
