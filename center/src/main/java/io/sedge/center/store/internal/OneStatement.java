package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Refuses what is not one query. That it cannot write is the database's part; this keeps a second
 * statement from ending the transaction in which nothing can be written.
 *
 * <p>A semicolon is looked for without regard to strings, other than plain ones in single quotes
 * with no backslash: what a string is differs between databases, and who is wrong about it lets a
 * statement through.
 */
final class OneStatement {
  private static final Set<String> ALLOWED = Set.of("SELECT", "WITH", "VALUES", "TABLE", "EXPLAIN");
  private static final Pattern FIRST =
      Pattern.compile("\\A(?:\\s|\\(|--[^\\n]*\\n|/\\*(?:[^*]|\\*(?!/))*\\*/)*([A-Za-z]+)");
  private static final Pattern PLAIN_STRING = Pattern.compile("'[^'\\\\]*'");
  private static final int MAX_LENGTH = 100_000;

  private OneStatement() {}

  /** The statement without what ends it. */
  static String of(String sql) throws StoreException {
    if (sql.length() > MAX_LENGTH) {
      throw refused("it has %,d characters, %,d are allowed".formatted(sql.length(), MAX_LENGTH));
    }
    String statement = sql.strip();
    while (statement.endsWith(";")) {
      statement = statement.substring(0, statement.length() - 1).strip();
    }
    if (statement.indexOf('\0') >= 0) {
      throw refused("it has the character NUL in it");
    }
    Matcher first = FIRST.matcher(statement);
    if (!first.find() || !ALLOWED.contains(first.group(1).toUpperCase(Locale.ROOT))) {
      throw refused("a query begins with one of SELECT, WITH, VALUES, TABLE, EXPLAIN");
    }
    if (hasSemicolon(statement)) {
      throw refused(
          "it has a semicolon inside: ask for one thing at a time, and write a semicolon in a"
              + " string as chr(59) or char(59)");
    }
    return statement;
  }

  private static boolean hasSemicolon(String statement) {
    if (statement.indexOf(';') < 0) {
      return false;
    }
    boolean simple =
        !statement.contains("--")
            && !statement.contains("/*")
            && statement.indexOf('"') < 0
            && statement.indexOf('\\') < 0
            && statement.indexOf('$') < 0
            && statement.indexOf('`') < 0
            && statement.indexOf('[') < 0;
    return !simple || PLAIN_STRING.matcher(statement).replaceAll("").indexOf(';') >= 0;
  }

  private static StoreException refused(String why) {
    return new StoreException(Reason.QUERY_REFUSED, "this is not one query: " + why);
  }
}
