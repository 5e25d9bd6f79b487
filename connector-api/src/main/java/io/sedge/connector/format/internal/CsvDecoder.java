package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes CSV records straight from bytes into columns. */
final class CsvDecoder implements RowDecoder {
  private static final int NO_COLUMN = -1;

  private final CsvDialect dialect;
  private final String[] names;
  private final Type[] types;
  private final ValueParser[] parsers;
  private final int[] columns;
  private final byte @Nullable [] nullLiteral;

  /** By place in the record: the index of the column's name, or none. */
  private int[] targets;

  /** The value read last: its bytes, either the record's or unescaped ones. */
  private byte[] valueBytes = new byte[0];

  private int valueFrom;
  private int valueTo;
  private byte[] unescaped = new byte[64];

  CsvDecoder(Schema schema, List<Integer> columns, CsvDialect dialect) {
    int count = columns.size();
    this.dialect = dialect;
    this.nullLiteral = dialect.nullLiteral().map(text -> text.getBytes(UTF_8)).orElse(null);
    this.names = new String[count];
    this.types = new Type[count];
    this.parsers = new ValueParser[count];
    this.columns = new int[count];
    this.targets = new int[count];
    for (int i = 0; i < count; i++) {
      int column = columns.get(i);
      names[i] = schema.name(column);
      types[i] = schema.type(column);
      parsers[i] = new ValueParser(types[i], TimestampText.SQL, true);
      this.columns[i] = column;
      targets[i] = i;
    }
  }

  @Override
  public boolean expectsHeader() {
    return dialect.header();
  }

  @Override
  public void header(byte[] payload, int offset, int length) throws MalformedPayloadException {
    List<String> found = new ArrayList<>();
    int end = offset + length;
    int i = offset;
    while (i <= end) {
      i = value(payload, i, end) + 1;
      found.add(new String(valueBytes, valueFrom, valueTo - valueFrom, UTF_8).trim());
    }
    int[] byPlace = new int[found.size()];
    Arrays.fill(byPlace, NO_COLUMN);
    for (int name = 0; name < names.length; name++) {
      byPlace[place(found, names[name])] = name;
    }
    targets = byPlace;
  }

  private static int place(List<String> found, String name) throws MalformedPayloadException {
    int exact = found.indexOf(name);
    if (exact >= 0) {
      return exact;
    }
    for (int i = 0; i < found.size(); i++) {
      if (found.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw new MalformedPayloadException(
        "the header has no column `%s`; it has %s".formatted(name, String.join(", ", found)));
  }

  @Override
  public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    int end = offset + length;
    int i = offset;
    int place = 0;
    while (i <= end) {
      int after = value(payload, i, end);
      if (place < targets.length) {
        int target = targets[place];
        if (target >= 0) {
          add(target, builder.column(columns[target]));
        }
      } else if (!mayFollow(place, after == end)) {
        throw new MalformedPayloadException(
            "more than %d values in the line".formatted(targets.length));
      }
      place++;
      i = after + 1;
    }
    if (place < targets.length && (!dialect.ignoreErrors() || dialect.failOnMissing())) {
      throw new MalformedPayloadException(
          "%d values in the line, not %d".formatted(place, targets.length));
    }
  }

  /** Whether there may be a value after the last column. */
  private boolean mayFollow(int place, boolean isLast) {
    boolean isTrailingComma = isLast && place == targets.length && valueFrom == valueTo;
    return dialect.ignoreTrailing() || (isTrailingComma && dialect.allowTrailingComma());
  }

  private void add(int target, ColumnBuilder column) throws MalformedPayloadException {
    if (isNull()) {
      column.addNull();
      return;
    }
    int size = column.size();
    try {
      if (types[target].children().isEmpty()) {
        parsers[target].add(valueBytes, valueFrom, valueTo, column);
      } else {
        column.add(nested(types[target]));
      }
    } catch (MalformedPayloadException e) {
      if (!dialect.ignoreErrors()) {
        throw new MalformedPayloadException("`%s`: %s".formatted(names[target], e.getMessage()));
      }
      while (column.size() > size) {
        column.removeLast();
      }
      column.addNull();
    }
  }

  private boolean isNull() {
    return (valueFrom == valueTo && dialect.emptyAsNull())
        || (nullLiteral != null
            && Arrays.equals(valueBytes, valueFrom, valueTo, nullLiteral, 0, nullLiteral.length));
  }

  /** The elements of an ARRAY or the fields of a ROW. */
  private List<@Nullable Object> nested(Type type) throws MalformedPayloadException {
    String text = ValueParser.utf8(valueBytes, valueFrom, valueTo);
    List<@Nullable Object> values = new ArrayList<>();
    String[] parts =
        text.isEmpty() ? new String[0] : text.split(Pattern.quote(dialect.elementDelimiter()), -1);
    if (type.kind() == Kind.ROW && parts.length != type.children().size()) {
      throw new MalformedPayloadException(
          "%d values, not %d, for %s".formatted(parts.length, type.children().size(), type));
    }
    for (int i = 0; i < parts.length; i++) {
      Type child = type.children().get(type.kind() == Kind.ROW ? i : 0);
      boolean isNull = dialect.nullLiteral().filter(parts[i]::equals).isPresent();
      values.add(isNull ? null : new ValueParser(child, TimestampText.SQL, true).parse(parts[i]));
    }
    return values;
  }

  /**
   * Reads the value that begins at {@code from}.
   *
   * @return the index of the delimiter after it, or {@code end}
   */
  private int value(byte[] bytes, int from, int end) throws MalformedPayloadException {
    int first = from;
    if (dialect.quote() != CsvDialect.NONE) {
      while (first < end && bytes[first] == ' ') {
        first++;
      }
      if (first < end && bytes[first] == dialect.quote()) {
        return quoted(bytes, first + 1, end);
      }
    }
    byte delimiter = (byte) dialect.delimiter();
    int i = from;
    while (i < end && bytes[i] != delimiter) {
      if (bytes[i] == dialect.escape()) {
        return escaped(bytes, from, end);
      }
      i++;
    }
    keep(bytes, from, i);
    if (dialect.trimSpaces()) {
      trim();
    }
    return i;
  }

  private int quoted(byte[] bytes, int from, int end) throws MalformedPayloadException {
    int i = from;
    int length = -1; // As long as nothing needs unescaping, the record's own bytes serve.
    while (i < end) {
      byte b = bytes[i];
      boolean doubled = b == dialect.quote() && i + 1 < end && bytes[i + 1] == b;
      boolean escape = b == dialect.escape() && i + 1 < end && b != dialect.quote();
      if (doubled || escape) {
        length = length < 0 ? copy(bytes, from, i) : length;
        length = append(length, escape ? unescape(bytes[i + 1]) : b);
        i += 2;
      } else if (b == dialect.quote()) {
        if (length < 0) {
          keep(bytes, from, i);
        } else {
          keep(unescaped, 0, length);
        }
        return afterQuote(bytes, i + 1, end);
      } else {
        length = length < 0 ? length : append(length, b);
        i++;
      }
    }
    throw new MalformedPayloadException("a quote that is not closed");
  }

  private int afterQuote(byte[] bytes, int from, int end) throws MalformedPayloadException {
    int i = from;
    while (i < end && bytes[i] == ' ') {
      i++;
    }
    if (i < end && bytes[i] != dialect.delimiter()) {
      throw new MalformedPayloadException("'%c' after a closing quote".formatted((char) bytes[i]));
    }
    return i;
  }

  private int escaped(byte[] bytes, int from, int end) {
    int length = 0;
    int i = from;
    while (i < end && bytes[i] != dialect.delimiter()) {
      boolean escape = bytes[i] == dialect.escape() && i + 1 < end;
      length = append(length, escape ? unescape(bytes[i + 1]) : bytes[i]);
      i += escape ? 2 : 1;
    }
    keep(unescaped, 0, length);
    return i;
  }

  private static byte unescape(byte letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case '0' -> 0;
      default -> letter;
    };
  }

  private void keep(byte[] bytes, int from, int to) {
    valueBytes = bytes;
    valueFrom = from;
    valueTo = to;
  }

  private void trim() {
    while (valueFrom < valueTo && valueBytes[valueFrom] == ' ') {
      valueFrom++;
    }
    while (valueFrom < valueTo && valueBytes[valueTo - 1] == ' ') {
      valueTo--;
    }
  }

  private int copy(byte[] bytes, int from, int to) {
    if (unescaped.length < to - from) {
      unescaped = new byte[(to - from) * 2];
    }
    System.arraycopy(bytes, from, unescaped, 0, to - from);
    return to - from;
  }

  private int append(int length, byte b) {
    if (length == unescaped.length) {
      unescaped = Arrays.copyOf(unescaped, length * 2);
    }
    unescaped[length] = b;
    return length + 1;
  }
}
