package io.sedge.site.internal.device;

import io.sedge.connector.SecretKeys;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of texts that others are to read: values of options whose names say that they
 * are secret, logins in addresses, join tokens, private keys; and, wherever they are, the values
 * that were found so in scripts. What nothing marks as a secret it cannot know.
 */
public final class Blanking {
  static final String BLANK = "***";

  /** A value that is shorter is found everywhere. */
  private static final int LEAST_CHARACTERS = 4;

  private static final String SECRET = SecretKeys.PATTERN;

  /** A value that only names a secret is none. */
  private static final String REFERENCE = "'\\$\\{secret:[^'}\\n]*}'";

  /** Values of such options that are no secrets, and stand in many places. */
  private static final Set<String> WORDS =
      Set.of("true", "false", "none", "null", "plain", "basic", "digest", "required", "password");

  /** {@code 'password' = 'x'}, as in a table's options or a SET. */
  private static final Pattern OPTION =
      Pattern.compile(
          "(?i)('" + SECRET + "'\\s*=\\s*)(?!" + REFERENCE + ")'([^']*+(?:''[^']*+)*+)'");

  /** {@code password=x}, {@code "token": "x"}, as in logs, comments and arguments. */
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "(?i)\\b(?<!\\$\\{)("
              + SECRET
              + "[\"']?\\s*[=:]\\s*)(?!'\\*{3}'|"
              + REFERENCE
              + ")(\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s,;\"']+)");

  private static final Pattern LOGIN = Pattern.compile("(://)[^/\\s'\"]{1,300}@");
  private static final Pattern TOKEN = Pattern.compile("sedge-[A-Za-z0-9_-]{20,}");
  private static final Pattern BEARER =
      Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}");
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)",
          Pattern.DOTALL);

  private final List<String> values;

  /**
   * @param scripts whose secrets are also found elsewhere
   */
  public Blanking(Collection<String> scripts) {
    Set<String> found = new TreeSet<>();
    for (String script : scripts) {
      Matcher matcher = OPTION.matcher(script);
      while (matcher.find()) {
        found.add(matcher.group(2).replace("''", "'"));
        found.add(matcher.group(2));
      }
    }
    this.values =
        found.stream()
            .filter(value -> value.length() >= LEAST_CHARACTERS)
            .filter(value -> !WORDS.contains(value.toLowerCase(Locale.ROOT)))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** The text without its secrets. */
  public String blank(String text) {
    String safe = KEY.matcher(text).replaceAll(BLANK);
    safe = OPTION.matcher(safe).replaceAll("$1'" + BLANK + "'");
    safe = LOGIN.matcher(safe).replaceAll("$1" + BLANK + "@");
    safe = TOKEN.matcher(safe).replaceAll("sedge-" + BLANK);
    safe = BEARER.matcher(safe).replaceAll("$1 " + BLANK);
    safe = ASSIGNED.matcher(safe).replaceAll("$1" + BLANK);
    for (String value : values) {
      safe = safe.replace(value, BLANK);
    }
    return safe;
  }
}
