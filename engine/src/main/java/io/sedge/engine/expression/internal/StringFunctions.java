package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.internal.RowFunctions.Row;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Functions of strings. Lengths and positions count code points; the first position is 1. */
public final class StringFunctions {
  private StringFunctions() {}

  public static void register(FunctionTable table) {
    whole(table);
    parts(table);
    trims(table);
    searches(table);
    tests(table);
  }

  private static void whole(FunctionTable table) {
    RowFunctions.ofString(table, "UPPER", string -> string.toUpperCase(Locale.ROOT));
    RowFunctions.ofString(table, "LOWER", string -> string.toLowerCase(Locale.ROOT));
    RowFunctions.ofString(table, "INITCAP", StringFunctions::initCap);
    RowFunctions.ofString(
        table, "REVERSE", string -> new StringBuilder(string).reverse().toString());
    RowFunctions.ofString(table, "CHAR_LENGTH", Texts::length);
    RowFunctions.ofString(table, "CHARACTER_LENGTH", Texts::length);
    RowFunctions.ofString(
        table,
        "TO_BASE64",
        string -> Base64.getEncoder().encodeToString(string.getBytes(StandardCharsets.UTF_8)));
    RowFunctions.ofString(table, "FROM_BASE64", StringFunctions::fromBase64);
    RowFunctions.ofString(table, "ASCII", StringFunctions::ascii);
    RowFunctions.strict(table, "CHR", "i", row -> character(row.wide(0)));
    RowFunctions.strict(table, "||", "ss+", StringFunctions::concat);
    RowFunctions.strict(table, "CONCAT", "*+", StringFunctions::concat);
    RowFunctions.lenient(table, "CONCAT_WS", "s*+", StringFunctions::concatWithSeparator);
    RowFunctions.strict(
        table, "REPEAT", "si", row -> row.text(0).repeat(Math.max(0, row.integer(1))));
    RowFunctions.strict(
        table, "REPLACE", "sss", row -> row.text(0).replace(row.text(1), row.text(2)));
    RowFunctions.lenient(table, "TRANSLATE", "sss", StringFunctions::translate);
  }

  private static void parts(FunctionTable table) {
    for (String name : List.of("SUBSTRING", "SUBSTR")) {
      RowFunctions.strict(table, name, "si[i]", StringFunctions::substring);
    }
    RowFunctions.strict(table, "LEFT", "si", row -> first(row.text(0), row.integer(1)));
    RowFunctions.strict(table, "RIGHT", "si", row -> last(row.text(0), row.integer(1)));
    RowFunctions.strict(table, "OVERLAY", "ssi[i]", StringFunctions::overlay);
    RowFunctions.strict(table, "LPAD", "sis", row -> pad(row, true));
    RowFunctions.strict(table, "RPAD", "sis", row -> pad(row, false));
    RowFunctions.strict(table, "SPLIT_INDEX", "s*i", StringFunctions::splitIndex);
    RowFunctions.strict(table, "SPLIT", "ss", row -> split(row.text(0), row.text(1)));
    RowFunctions.lenient(table, "ELT", "is+", StringFunctions::element);
  }

  private static void trims(FunctionTable table) {
    RowFunctions.strict(table, "TRIM", "s", row -> Trimming.spaces(row.text(0), true, true));
    RowFunctions.strict(table, "TRIM", "sss", Trimming::byFlag);
    trim(table, "LTRIM", true, false);
    trim(table, "RTRIM", false, true);
    trim(table, "BTRIM", true, true);
  }

  private static void trim(FunctionTable table, String name, boolean leading, boolean trailing) {
    RowFunctions.strict(
        table,
        name,
        "s[s]",
        row ->
            row.size() == 1
                ? Trimming.spaces(row.text(0), leading, trailing)
                : Trimming.characters(row.text(0), row.text(1), leading, trailing));
  }

  private static void searches(FunctionTable table) {
    RowFunctions.strict(
        table,
        "POSITION",
        "ss[i]",
        row -> locate(row.text(0), row.text(1), row.size() > 2 ? row.integer(2) : 1));
    RowFunctions.strict(
        table,
        "LOCATE",
        "ss[i]",
        row -> locate(row.text(0), row.text(1), row.size() > 2 ? row.integer(2) : 1));
    RowFunctions.strict(table, "INSTR", "ss", row -> locate(row.text(1), row.text(0), 1));
    RowFunctions.strict(table, "STARTSWITH", "ss", row -> row.text(0).startsWith(row.text(1)));
    RowFunctions.strict(table, "ENDSWITH", "ss", row -> row.text(0).endsWith(row.text(1)));
  }

  private static void tests(FunctionTable table) {
    RowFunctions.lenient(table, "IS_ALPHA", "*", row -> isAll(row, true));
    RowFunctions.lenient(table, "IS_DIGIT", "*", row -> isAll(row, false));
    RowFunctions.lenient(table, "IS_DECIMAL", "*", row -> isDecimal(row.value(0)));
  }

  /** Words are letters and digits of ASCII; all else parts them and stays as it is, as in Flink. */
  private static String initCap(String string) {
    StringBuilder result = new StringBuilder(string.length());
    boolean inWord = false;
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      boolean upper = c >= 'A' && c <= 'Z';
      boolean lower = c >= 'a' && c <= 'z';
      if (upper && inWord) {
        c = (char) (c - 'A' + 'a');
      } else if (lower && !inWord) {
        c = (char) (c - 'a' + 'A');
      }
      result.append(c);
      inWord = upper || lower || (c >= '0' && c <= '9');
    }
    return result.toString();
  }

  private static String fromBase64(String string) {
    try {
      return new String(Base64.getDecoder().decode(string), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw new EvaluationException(
          "FROM_BASE64('%s'): %s".formatted(string, malformed.getMessage()), malformed);
    }
  }

  private static int ascii(String string) {
    byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
    return bytes.length == 0 ? 0 : bytes[0];
  }

  private static String character(long code) {
    return code < 0 ? "" : Character.toString((char) (code & 0xff));
  }

  private static String concat(Row row) {
    StringBuilder result = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      result.append(row.get(i));
    }
    return result.toString();
  }

  private static @Nullable String concatWithSeparator(Row row) {
    if (row.isNull(0)) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    for (int i = 1; i < row.size(); i++) {
      if (!row.isNull(i)) {
        parts.add(row.get(i).toString());
      }
    }
    return String.join(row.text(0), parts);
  }

  private static @Nullable String translate(Row row) {
    if (row.isNull(0) || row.isNull(1) || row.text(1).isEmpty()) {
      return (String) row.value(0);
    }
    int[] from = row.text(1).codePoints().toArray();
    int[] to = row.isNull(2) ? new int[0] : row.text(2).codePoints().toArray();
    StringBuilder result = new StringBuilder();
    row.text(0)
        .codePoints()
        .forEach(
            point -> {
              int at = 0;
              while (at < from.length && from[at] != point) {
                at++;
              }
              if (at == from.length) {
                result.appendCodePoint(point);
              } else if (at < to.length) {
                result.appendCodePoint(to[at]);
              }
            });
    return result.toString();
  }

  /** A start below 1 counts from the end; a length below 0 gives NULL. */
  private static @Nullable String substring(Row row) {
    String string = row.text(0);
    int length = Texts.length(string);
    long start = row.integer(1);
    long wanted = row.size() > 2 ? row.integer(2) : Integer.MAX_VALUE;
    if (wanted < 0) {
      return null;
    }
    long from = start > 0 ? start - 1 : start < 0 ? length + start : 0;
    long to = Math.min(from + wanted, length);
    if (from < 0 || from >= to) {
      return "";
    }
    return Texts.slice(string, (int) from, (int) to);
  }

  private static String first(String string, int count) {
    return Texts.slice(string, 0, Math.clamp(count, 0, Texts.length(string)));
  }

  private static String last(String string, int count) {
    int length = Texts.length(string);
    return Texts.slice(string, length - Math.clamp(count, 0, length), length);
  }

  private static String overlay(Row row) {
    String string = row.text(0);
    String replacement = row.text(1);
    int start = row.integer(2);
    int length = string.length();
    int count = row.size() > 3 ? row.integer(3) : replacement.length();
    if (start <= 0 || start > length) {
      return string;
    }
    int end = count <= 0 || start - 1L + count > length ? length : start - 1 + count;
    return string.substring(0, start - 1) + replacement + string.substring(end);
  }

  private static @Nullable String pad(Row row, boolean left) {
    String string = row.text(0);
    int length = row.integer(1);
    String padding = row.text(2);
    if (length < 0 || padding.isEmpty()) {
      return null;
    }
    if (length <= string.length()) {
      return string.substring(0, length);
    }
    int missing = length - string.length();
    String filler = padding.repeat(missing / padding.length() + 1).substring(0, missing);
    return left ? filler + string : string + filler;
  }

  private static @Nullable String splitIndex(Row row) {
    int index = row.integer(2);
    String separator =
        row.get(1) instanceof String string ? string : String.valueOf((char) row.integer(1));
    List<String> parts =
        separator.isEmpty()
            ? Arrays.asList(row.text(0).split("\\s", -1))
            : split(row.text(0), separator);
    return index < 0 || index >= parts.size() || row.text(0).isEmpty() ? null : parts.get(index);
  }

  /** Every separator splits; without one, every character is a part. Nothing has no parts. */
  private static List<String> split(String string, String separator) {
    if (string.isEmpty()) {
      return List.of();
    }
    if (separator.isEmpty()) {
      return string.codePoints().mapToObj(Character::toString).toList();
    }
    List<String> parts = new ArrayList<>();
    int from = 0;
    int at = string.indexOf(separator);
    while (at >= 0) {
      parts.add(string.substring(from, at));
      from = at + separator.length();
      at = string.indexOf(separator, from);
    }
    parts.add(string.substring(from));
    return parts;
  }

  private static @Nullable Object element(Row row) {
    if (row.isNull(0)) {
      return null;
    }
    long index = row.wide(0);
    return index < 1 || index >= row.size() ? null : row.value((int) index);
  }

  /** A start below 1 is 1. */
  private static int locate(String part, String string, int start) {
    if (part.isEmpty()) {
      return 1;
    }
    if (start > Texts.length(string)) {
      return 0;
    }
    int from = start < 1 ? 0 : string.offsetByCodePoints(0, start - 1);
    int at = string.indexOf(part, from);
    return at < 0 ? 0 : string.codePointCount(0, at) + 1;
  }

  private static boolean isAll(Row row, boolean letters) {
    if (!(row.value(0) instanceof String string) || string.isEmpty()) {
      return !letters && row.value(0) instanceof Number number && isDigits(number.toString());
    }
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (letters ? !Character.isLetter(c) : !Character.isDigit(c)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigits(String string) {
    return string.chars().allMatch(Character::isDigit);
  }

  private static boolean isDecimal(@Nullable Object value) {
    if (value instanceof Number) {
      return true;
    }
    if (!(value instanceof String string) || string.isEmpty()) {
      return false;
    }
    try {
      Double.parseDouble(string);
      return true;
    } catch (NumberFormatException notANumber) {
      return false;
    }
  }
}
