package io.sedge.connector.format.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import java.util.List;
import java.util.Optional;

/**
 * How a CSV file is written: the values of the {@code csv.*} options.
 *
 * @param quote the quote character, or {@link #NONE}
 * @param escape the escape character, or {@link #NONE}
 * @param nullLiteral what stands for NULL
 */
record CsvDialect(
    char delimiter,
    int quote,
    int escape,
    Optional<String> nullLiteral,
    String elementDelimiter,
    boolean comments,
    boolean header,
    boolean ignoreErrors,
    boolean trimSpaces,
    boolean ignoreTrailing,
    boolean allowTrailingComma,
    boolean failOnMissing,
    boolean emptyAsNull) {

  static final int NONE = -1;

  private static final String DELIMITER = "csv.field-delimiter";
  private static final String QUOTE = "csv.quote-character";
  private static final String DISABLE_QUOTE = "csv.disable-quote-character";
  private static final String ESCAPE = "csv.escape-character";
  private static final String NULL_LITERAL = "csv.null-literal";
  private static final String ELEMENT_DELIMITER = "csv.array-element-delimiter";
  private static final String COMMENTS = "csv.allow-comments";
  private static final String HEADER = "csv.header";
  private static final String IGNORE_ERRORS = "csv.ignore-parse-errors";
  private static final String TRIM = "csv.trim-spaces";
  private static final String IGNORE_TRAILING = "csv.ignore-trailing-unmappable";
  private static final String TRAILING_COMMA = "csv.allow-trailing-comma";
  private static final String FAIL_ON_MISSING = "csv.fail-on-missing-columns";
  private static final String EMPTY_AS_NULL = "csv.empty-string-as-null";

  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              DELIMITER,
              Option.Kind.STRING,
              ",",
              "The character between two values; \\t is a tabulator."),
          Option.withDefault(
              QUOTE, Option.Kind.STRING, "\"", "The character around values that need it."),
          flag(DISABLE_QUOTE, "false", "Whether no character is a quote."),
          Option.optional(
              ESCAPE,
              Option.Kind.STRING,
              "The character that takes the meaning from the one after it."),
          Option.optional(NULL_LITERAL, Option.Kind.STRING, "What stands for NULL."),
          Option.withDefault(
              ELEMENT_DELIMITER,
              Option.Kind.STRING,
              ";",
              "What stands between the elements of an ARRAY or ROW."),
          flag(COMMENTS, "false", "Whether lines that begin with # are passed over."),
          flag(
              HEADER,
              "false",
              "Whether a file begins with a line of names: columns are found by name when read, and"
                  + " the line is written. Sedge's own; Flink has no such option."),
          flag(
              IGNORE_ERRORS,
              "false",
              "Whether a value that does not fit its column, or is missing, becomes NULL; else its"
                  + " line is malformed."),
          flag(TRIM, "false", "Whether blanks around values without quotes are left out."),
          flag(
              IGNORE_TRAILING,
              "false",
              "Whether values after the last column are passed over; else the line is malformed."),
          flag(TRAILING_COMMA, "true", "Whether a delimiter may stand after the last value."),
          flag(
              FAIL_ON_MISSING,
              "false",
              "Whether a line with too few values is malformed even where parse errors are"
                  + " ignored."),
          flag(EMPTY_AS_NULL, "false", "Whether a value without a character is NULL."));

  private static Option flag(String key, String value, String description) {
    return Option.withDefault(key, Option.Kind.BOOLEAN, value, description);
  }

  static CsvDialect of(Options options) {
    boolean noQuote = options.bool(DISABLE_QUOTE);
    if (noQuote && options.has(QUOTE)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "'%s' is true, so '%s' cannot be given".formatted(DISABLE_QUOTE, QUOTE));
    }
    char delimiter = character(options, DELIMITER);
    int quote = noQuote ? NONE : character(options, QUOTE);
    if (delimiter == quote) {
      throw options.wrong(DELIMITER, "is the quote character too");
    }
    return new CsvDialect(
        delimiter,
        quote,
        options.has(ESCAPE) ? character(options, ESCAPE) : NONE,
        options.find(NULL_LITERAL),
        options.string(ELEMENT_DELIMITER),
        options.bool(COMMENTS),
        options.bool(HEADER),
        options.bool(IGNORE_ERRORS),
        options.bool(TRIM),
        options.bool(IGNORE_TRAILING),
        options.bool(TRAILING_COMMA),
        options.bool(FAIL_ON_MISSING),
        options.bool(EMPTY_AS_NULL));
  }

  /** One character, which may be written as an escape of Java's. */
  private static char character(Options options, String key) {
    String value;
    try {
      value = options.string(key).translateEscapes();
    } catch (IllegalArgumentException e) {
      value = options.string(key);
    }
    if (value.length() != 1 || value.charAt(0) > 0x7F || value.charAt(0) == '\n') {
      throw options.wrong(key, "is not one ASCII character");
    }
    return value.charAt(0);
  }
}
