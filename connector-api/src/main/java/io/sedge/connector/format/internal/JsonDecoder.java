package io.sedge.connector.format.internal;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JSON objects straight from bytes into columns.
 *
 * <p>Payloads of one stream are alike: the decoder remembers which column came after which, and
 * compares the name expected next with the bytes at hand before it looks at the others. Numbers,
 * strings and timestamps go into their columns without an object in between; nested values, which
 * are rare, become objects. Of a name that stands twice the last value counts.
 */
final class JsonDecoder implements RowDecoder {
  private static final int NO_COLUMN = -1;

  private final JsonField[] fields;
  private final int[] columns;
  private final boolean failOnMissing;
  private final boolean ignoreErrors;
  private final JsonInput input = new JsonInput();
  private final NumberScanner numbers = new NumberScanner();

  /** By field plus one: the field that came after it in the payload before. */
  private final int[] successors;

  JsonDecoder(
      List<JsonField> fields, List<Integer> columns, boolean failOnMissing, boolean ignoreErrors) {
    this.fields = fields.toArray(JsonField[]::new);
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    this.failOnMissing = failOnMissing;
    this.ignoreErrors = ignoreErrors;
    this.successors = new int[this.fields.length + 1];
    for (int i = 0; i < this.fields.length; i++) {
      successors[i] = i;
    }
  }

  @Override
  public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    input.reset(payload, offset, length);
    int row = builder.rows();
    int found = 0;
    begin();
    if (!input.accept('}')) {
      int previous = NO_COLUMN;
      do {
        int field = field(previous);
        if (field == NO_COLUMN) {
          input.skipValue(numbers, 1);
        } else {
          ColumnBuilder column = builder.column(columns[field]);
          if (column.size() > row) {
            column.removeLast();
          } else {
            found++;
          }
          value(fields[field], column);
          previous = field;
        }
      } while (input.accept(','));
      input.expect('}');
    }
    input.expectEnd();
    if (failOnMissing && found < fields.length) {
      throw missing(builder, row);
    }
  }

  /** Passes the brace that a row begins with. */
  private void begin() throws MalformedPayloadException {
    if (!input.accept('{')) {
      if (input.peek() == '[') {
        throw new MalformedPayloadException("an array: a payload is one object, which is one row");
      }
      input.expect('{');
    }
  }

  private MalformedPayloadException missing(BatchBuilder builder, int row) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      if (builder.column(columns[i]).size() == row) {
        names.add("`" + fields[i].name + "`");
      }
    }
    return new MalformedPayloadException(
        "no %s, and json.fail-on-missing-field is true".formatted(String.join(", ", names)));
  }

  /** Passes a name and its colon and says which field it is. */
  private int field(int previous) throws MalformedPayloadException {
    if (input.peek() != '"') {
      throw input.malformed("a name missing");
    }
    int guess = successors[previous + 1];
    if (guess < fields.length) {
      JsonField expected = fields[guess];
      if (input.passes(expected.key, expected.keyHead, expected.keyMask)) {
        return guess;
      }
    }
    input.string();
    int found = NO_COLUMN;
    for (int i = 0; i < fields.length; i++) {
      if (input.textEquals(fields[i].nameBytes)) {
        successors[previous + 1] = i;
        found = i;
        break;
      }
    }
    input.expect(':');
    return found;
  }

  private void value(JsonField field, ColumnBuilder column) throws MalformedPayloadException {
    if (!ignoreErrors) {
      read(field, column);
      return;
    }
    int size = column.size();
    input.peek();
    int position = input.position();
    try {
      read(field, column);
    } catch (MalformedPayloadException e) {
      input.moveTo(position);
      input.skipValue(numbers, 1);
      while (column.size() > size) {
        column.removeLast();
      }
      column.addNull();
    }
  }

  private void read(JsonField field, ColumnBuilder column) throws MalformedPayloadException {
    byte first = input.peek();
    try {
      if (first == '"' && field.children.isEmpty()) {
        input.string();
        field.text.add(input.textBytes(), input.textFrom(), input.textTo(), column);
      } else if (first == 'n') {
        input.expectNull();
        column.addNull();
      } else if (field.kind == Kind.DOUBLE) {
        input.number(numbers.scan(input.bytes(), input.position(), input.end()));
        column.addDouble(numbers.doubleValue());
      } else if (field.kind == Kind.FLOAT) {
        input.number(numbers.scan(input.bytes(), input.position(), input.end()));
        column.addFloat(numbers.floatValue());
      } else if (field.kind == Kind.BIGINT) {
        column.addLong(wholeNumber(field, Long.MIN_VALUE, Long.MAX_VALUE));
      } else if (field.kind == Kind.INT) {
        column.addInt((int) wholeNumber(field, Integer.MIN_VALUE, Integer.MAX_VALUE));
      } else {
        column.add(object(field, 1));
      }
    } catch (MalformedPayloadException e) {
      throw new MalformedPayloadException("`%s`: %s".formatted(field.name, e.getMessage()));
    }
  }

  /** Reads a value that is not hot, or stands in another. */
  private @Nullable Object object(JsonField field, int depth) throws MalformedPayloadException {
    byte first = input.peek();
    if (first == 'n') {
      input.expectNull();
      return null;
    }
    if (field.kind == Kind.ARRAY) {
      return array(field.children.getFirst(), depth);
    }
    if (field.kind == Kind.ROW) {
      return row(field, depth);
    }
    if (first == '"') {
      input.string();
      return field.text.parse(input.text());
    }
    if (first == 't' || first == 'f') {
      boolean value = input.expectBoolean();
      return field.kind == Kind.BOOLEAN
          ? (Object) value
          : field.text.parse(value ? "true" : "false");
    }
    if (first == '{' || first == '[') {
      return compact(field);
    }
    return number(field);
  }

  private @Nullable Object number(JsonField field) throws MalformedPayloadException {
    return switch (field.kind) {
      case TINYINT -> (int) exactNumber(field, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> (int) exactNumber(field, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT, INTERVAL_YEAR_MONTH ->
          (int) wholeNumber(field, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT, INTERVAL_DAY_TIME -> wholeNumber(field, Long.MIN_VALUE, Long.MAX_VALUE);
      case BOOLEAN, FLOAT, DOUBLE, DECIMAL, CHAR, VARCHAR, DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> {
        input.number(numbers.scan(input.bytes(), input.position(), input.end()));
        yield field.text.parse(numbers.text());
      }
      case ARRAY, ROW, NULL -> throw field.text.malformed("a number");
    };
  }

  /** TINYINT and SMALLINT take whole numbers only, as in Flink. */
  private long exactNumber(JsonField field, long least, long most)
      throws MalformedPayloadException {
    long value = wholeNumber(field, least, most);
    if (!numbers.isIntegral()) {
      throw field.text.malformed(numbers.text());
    }
    return value;
  }

  /** What stands after a point is cut off, as in Flink. */
  private long wholeNumber(JsonField field, long least, long most)
      throws MalformedPayloadException {
    input.number(numbers.scan(input.bytes(), input.position(), input.end()));
    if (numbers.fitsLong()) {
      long value = numbers.longValue();
      if (value >= least && value <= most) {
        return value;
      }
    } else if (!numbers.isIntegral()) {
      double value = numbers.doubleValue();
      if (value >= least && value <= most) {
        return (long) value;
      }
    }
    throw field.text.malformed(numbers.text());
  }

  private List<@Nullable Object> array(JsonField element, int depth)
      throws MalformedPayloadException {
    input.checkDepth(depth);
    input.expect('[');
    List<@Nullable Object> values = new ArrayList<>();
    if (input.accept(']')) {
      return values;
    }
    do {
      values.add(object(element, depth + 1));
    } while (input.accept(','));
    input.expect(']');
    return values;
  }

  private List<@Nullable Object> row(JsonField field, int depth) throws MalformedPayloadException {
    input.checkDepth(depth);
    input.expect('{');
    @Nullable Object[] values = new Object[field.children.size()];
    boolean[] found = new boolean[values.length];
    if (!input.accept('}')) {
      do {
        int child = child(field);
        input.expect(':');
        if (child == NO_COLUMN) {
          input.skipValue(numbers, depth + 1);
        } else {
          found[child] = true;
          values[child] = object(field.children.get(child), depth + 1);
        }
      } while (input.accept(','));
      input.expect('}');
    }
    for (int i = 0; failOnMissing && i < found.length; i++) {
      if (!found[i]) {
        throw new MalformedPayloadException(
            "no `%s`, and json.fail-on-missing-field is true"
                .formatted(field.children.get(i).name));
      }
    }
    return Arrays.asList(values);
  }

  private int child(JsonField field) throws MalformedPayloadException {
    if (input.peek() != '"') {
      throw input.malformed("a name missing");
    }
    input.string();
    for (int i = 0; i < field.children.size(); i++) {
      if (input.textEquals(field.children.get(i).nameBytes)) {
        return i;
      }
    }
    return NO_COLUMN;
  }

  /** An object or array for a text column: its JSON without blanks. */
  private @Nullable Object compact(JsonField field) throws MalformedPayloadException {
    int from = input.position();
    input.skipValue(numbers, 1);
    byte[] bytes = input.bytes();
    byte[] kept = new byte[input.position() - from];
    int length = 0;
    boolean inString = false;
    for (int i = from; i < input.position(); i++) {
      byte b = bytes[i];
      if (inString && b == '\\') {
        kept[length++] = b;
        b = bytes[++i];
      } else if (b == '"') {
        inString = !inString;
      }
      if (inString || b > ' ' || b < 0) {
        kept[length++] = b;
      }
    }
    if (!field.kind.isString()) {
      throw field.text.malformed(ValueParser.utf8(kept, 0, length));
    }
    return field.text.parse(ValueParser.utf8(kept, 0, length));
  }
}
