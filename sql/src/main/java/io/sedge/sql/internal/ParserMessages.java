package io.sedge.sql.internal;

import io.sedge.connector.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** The parser's messages, shortened: what was read, and what it expected instead. */
final class ParserMessages {
  private static final Pattern ENCOUNTERED =
      Pattern.compile("Encountered \"(.*?)\" at line \\d+, column \\d+", Pattern.DOTALL);
  private static final String NO_QUERY = "NON-QUERY EXPRESSION ENCOUNTERED IN ILLEGAL CONTEXT";
  private static final Pattern NEAR_KEYWORD =
      Pattern.compile("Incorrect syntax near the keyword '(.*?)' at line \\d+, column \\d+.*");
  private static final Pattern FIRST_WORD = Pattern.compile("[A-Za-z_]\\w*");
  private static final Pattern EXPECTED = Pattern.compile("^\\s+(\\S.*?) \\.\\.\\.\\s*$");

  /** Words that are hardly meant as names. */
  private static final Set<String> CLAUSES =
      Set.of(
          "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BY", "HAVING", "WITH", "AS", "ON", "JOIN",
          "AND", "OR", "NOT", "INSERT", "INTO", "SET", "CREATE", "TABLE", "VIEW", "BEGIN", "END",
          "CASE", "WHEN", "THEN", "ELSE", "UNION", "LIMIT", "VALUES", "LEFT", "RIGHT", "INNER");

  /**
   * What a statement may begin with, the refused ones included: those have messages of their own.
   */
  private static final Set<String> BEGINNINGS =
      Set.of(
          "SELECT",
          "WITH",
          "VALUES",
          "INSERT",
          "CREATE",
          "DROP",
          "SET",
          "RESET",
          "EXECUTE",
          "ALTER",
          "SHOW",
          "DESCRIBE",
          "DESC",
          "EXPLAIN",
          "USE",
          "UPDATE",
          "DELETE",
          "BEGIN",
          "END",
          "ADD",
          "REMOVE",
          "ANALYZE",
          "CALL",
          "COMPILE",
          "LOAD",
          "UNLOAD",
          "REPLACE",
          "TRUNCATE",
          "UPSERT",
          "MERGE",
          "STOP",
          "TABLE");

  private static final Pattern CALL = Pattern.compile("(\\w+)\\s*\\(");

  /** The parser gives up a sign before it. */
  private static final Pattern DOUBLE_QUOTE = Pattern.compile("[=<>,(+*/|-]*\\s*\"");

  /** So many are named; more help nobody. */
  private static final int NAMED = 5;

  private ParserMessages() {}

  /** What went wrong, and what to do. */
  record Message(String text, Optional<String> remedy) {}

  /** For a statement that cannot be parsed, whether its first word is the reason. */
  static Optional<String> unknownBeginning(String statement) {
    Matcher word = FIRST_WORD.matcher(statement);
    if (!word.lookingAt() || BEGINNINGS.contains(word.group().toUpperCase(Locale.ROOT))) {
      return Optional.empty();
    }
    String near =
        Suggestions.closest(word.group().toUpperCase(Locale.ROOT), BEGINNINGS)
            .map("; did you mean %s?"::formatted)
            .orElse("");
    return Optional.of("no statement begins with %s%s".formatted(word.group(), near));
  }

  /**
   * What the parser gave up at.
   *
   * @param rest of the line there
   */
  static Message of(SqlParseException exception, String rest) {
    String message = String.valueOf(exception.getMessage());
    Message slip = slip(rest);
    if (slip != null) {
      return slip;
    }
    if (message.toUpperCase(Locale.ROOT).contains(NO_QUERY)) {
      return new Message(
          "a value stands where a query or a statement is expected",
          Optional.of("SELECT …, or INSERT INTO … SELECT …"));
    }
    Matcher read = ENCOUNTERED.matcher(message);
    Matcher near = NEAR_KEYWORD.matcher(firstLine(message));
    if (near.matches()) {
      return new Message(
          "read %s, expecting a name or an expression".formatted(near.group(1)),
          remedy(near.group(1)));
    }
    if (!read.find()) {
      return new Message(ValidatorMessages.sentence(firstLine(message)), Optional.empty());
    }
    String token = read.group(1).strip().replaceAll("\\s+", " ");
    if (token.endsWith("\\'") || token.endsWith("`")) {
      return new Message(
          "the quote %s is not closed".formatted(token.substring(token.length() - 1)),
          Optional.empty());
    }
    List<String> expected = new ArrayList<>();
    for (String line : message.lines().toList()) {
      Matcher matcher = EXPECTED.matcher(line);
      if (matcher.matches()) {
        String name = name(matcher.group(1));
        if (!expected.contains(name)) {
          expected.add(name);
        }
      }
    }
    String what =
        token.equals("<EOF>") ? "the statement ends too early" : "read %s".formatted(token);
    return new Message(what + expecting(expected), remedy(token.replaceAll(" .*", "")));
  }

  /** What is written otherwise in other systems; null if it is none of that. */
  private static @Nullable Message slip(String rest) {
    Matcher call = CALL.matcher(rest);
    if (call.lookingAt() && MissingFunctions.isKeyword(call.group(1))) {
      String name = call.group(1);
      return new Message(MissingFunctions.text(name, List.of()), MissingFunctions.remedy(name));
    }
    if (rest.startsWith("!=")) {
      return new Message("there is no operator !=", Optional.of("<>"));
    }
    if (rest.startsWith("::")) {
      return new Message("there is no operator ::", Optional.of("CAST(… AS type)"));
    }
    return DOUBLE_QUOTE.matcher(rest).lookingAt()
        ? new Message(
            "double quotes have no meaning",
            Optional.of("a text in single quotes, 'text', and a name in backquotes, `name`"))
        : null;
  }

  private static String expecting(List<String> expected) {
    if (expected.isEmpty()) {
      return ", which cannot stand here";
    }
    if (expected.size() > NAMED) {
      return expected.contains("a name")
          ? ", expecting a name or an expression"
          : ", expecting " + String.join(", ", expected.subList(0, NAMED)) + " or others";
    }
    if (expected.size() == 1) {
      return ", expecting " + expected.getFirst();
    }
    return ", expecting %s or %s"
        .formatted(String.join(", ", expected.subList(0, expected.size() - 1)), expected.getLast());
  }

  private static String name(String token) {
    if (token.contains("IDENTIFIER>")) {
      return "a name";
    }
    if (token.contains("STRING") || token.contains("QUOTED")) {
      return "a string";
    }
    if (token.contains("LITERAL>")) {
      return "a number";
    }
    if (token.equals("<EOF>")) {
      return "the end";
    }
    String first = token.replaceAll(" .*", "");
    return first.startsWith("\"") && first.endsWith("\"") && first.length() > 2
        ? first.substring(1, first.length() - 1)
        : first;
  }

  /** A keyword that was meant as a name needs backquotes. */
  private static Optional<String> remedy(String token) {
    boolean word = token.matches("[A-Za-z_]+") && !CLAUSES.contains(token.toUpperCase(Locale.ROOT));
    return word ? Optional.of("`%s` if it is meant as a name".formatted(token)) : Optional.empty();
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
