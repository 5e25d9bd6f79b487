package io.sedge.cli.internal.connect;

import io.sedge.cli.internal.connect.PayloadShape.Column;
import io.sedge.connector.Findings.Payload;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Knows how records are written, by their bytes. */
final class RecordFormats {
  /** A zero byte and the number of a schema stand before a record of a registry. */
  private static final int FRAME_BYTES = 5;

  private static final List<Character> DELIMITERS = List.of(',', ';', '|');
  private static final int MOST_FIELDS = 100;
  private static final int MOST_SCHEMAS = 5;

  /** Nine of ten. */
  private static final int MOST_PARTS = 10;

  /** Of a message of Protobuf: the wire types that there are, and how long their values are. */
  private static final int VARINT = 0;

  private static final int EIGHT_BYTES = 1;
  private static final int LENGTH = 2;
  private static final int FOUR_BYTES = 5;
  private static final int MOST_VARINT_BYTES = 10;

  /** Of the messages of a file, and of those in one another: text has greater bytes as a rule. */
  private static final int MOST_MESSAGES = 32;

  private static final int MOST_NESTED = 8;

  private RecordFormats() {}

  /** That of some records; empty of none. */
  static Optional<RecordFormat> of(List<Payload> records) {
    if (records.isEmpty()) {
      return Optional.empty();
    }
    List<byte[]> values = records.stream().map(Payload::value).toList();
    if (values.stream().allMatch(RecordFormats::isFramed)) {
      return Optional.of(framed(values));
    }
    List<String> texts = new ArrayList<>();
    for (byte[] value : values) {
      text(value).ifPresent(texts::add);
    }
    if (!isMost(texts.size(), values.size())) {
      return Optional.of(new RecordFormat.Binary());
    }
    List<PayloadShape> shapes = texts.stream().map(PayloadShape::of).toList();
    List<PayloadShape> objects =
        shapes.stream().filter(shape -> shape.kind() == PayloadShape.Kind.JSON).toList();
    List<PayloadShape> taken = isMost(objects.size(), shapes.size()) ? objects : shapes;
    PayloadShape shape = taken.stream().reduce(PayloadShape::with).orElseThrow();
    if (shape.kind() == PayloadShape.Kind.TEXT) {
      Optional<RecordFormat> csv = csv(texts);
      if (csv.isPresent()) {
        return csv;
      }
    }
    return Optional.of(new RecordFormat.Text(shape, values.size() - taken.size()));
  }

  /** A few records that are broken hide no format. */
  private static boolean isMost(int some, int all) {
    return some > 0 && some * MOST_PARTS >= all * (MOST_PARTS - 1);
  }

  /** The value as text, if it is UTF-8 without control characters but blanks and line ends. */
  static Optional<String> text(byte[] value) {
    CharBuffer characters = CharBuffer.allocate(value.length);
    // Not to its end: a value that was cut may end amid a character.
    CoderResult result =
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value), characters, false);
    String text = characters.flip().toString();
    boolean plain =
        text.chars().noneMatch(c -> Character.isISOControl(c) && !Character.isWhitespace(c));
    return plain && !result.isError() ? Optional.of(text) : Optional.empty();
  }

  private static boolean isFramed(byte[] value) {
    return value.length > FRAME_BYTES && value[0] == 0 && schema(value) > 0;
  }

  private static int schema(byte[] value) {
    return ByteBuffer.wrap(value, 1, Integer.BYTES).getInt();
  }

  private static RecordFormat framed(List<byte[]> values) {
    TreeSet<Integer> schemas = new TreeSet<>();
    values.forEach(value -> schemas.add(schema(value)));
    String numbers =
        schemas.stream().limit(MOST_SCHEMAS).map(String::valueOf).collect(Collectors.joining(", "));
    RecordFormat.Framed.Inner inner =
        values.stream().allMatch(value -> value[FRAME_BYTES] == '{')
            ? RecordFormat.Framed.Inner.JSON
            : values.stream().allMatch(RecordFormats::isProtobuf)
                ? RecordFormat.Framed.Inner.PROTOBUF
                : RecordFormat.Framed.Inner.AVRO;
    return new RecordFormat.Framed(
        inner, schemas.size() > MOST_SCHEMAS ? numbers + ", …" : numbers);
  }

  /** Which message it is of a file stands before it: zero for the first, else a list. */
  private static boolean isProtobuf(byte[] value) {
    ByteBuffer rest = ByteBuffer.wrap(value, FRAME_BYTES, value.length - FRAME_BYTES);
    long indexes = zigzag(varint(rest));
    if (indexes < 0 || indexes > MOST_NESTED) {
      return false;
    }
    for (long i = 0; i < indexes; i++) {
      long index = zigzag(varint(rest));
      if (index < 0 || index > MOST_MESSAGES) {
        return false;
      }
    }
    if (!rest.hasRemaining()) {
      return false; // Which would be a message without fields.
    }
    while (rest.hasRemaining()) {
      long tag = varint(rest);
      if (tag >> 3 <= 0) {
        return false;
      }
      long length =
          switch ((int) (tag & 7)) {
            case VARINT -> varint(rest) >= 0 ? 0 : -1;
            case EIGHT_BYTES -> Long.BYTES;
            case LENGTH -> varint(rest);
            case FOUR_BYTES -> Integer.BYTES;
            default -> -1;
          };
      if (length < 0 || length > rest.remaining()) {
        return false;
      }
      rest.position(rest.position() + (int) length);
    }
    return true;
  }

  private static long zigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }

  /** -1 if there is none. Negative numbers of ten bytes are told as their absolute value. */
  private static long varint(ByteBuffer bytes) {
    long number = 0;
    for (int i = 0; i < MOST_VARINT_BYTES && bytes.hasRemaining(); i++) {
      byte next = bytes.get();
      number |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        return number & Long.MAX_VALUE;
      }
    }
    return -1;
  }

  /** Lines with the same number of fields, one of which is a number. */
  private static Optional<RecordFormat> csv(List<String> texts) {
    for (char delimiter : DELIMITERS) {
      List<List<String>> lines =
          texts.stream()
              .map(
                  text ->
                      List.of(
                          text.stripTrailing().split(Pattern.quote(String.valueOf(delimiter)), -1)))
              .toList();
      int fields = lines.getFirst().size();
      if (fields > 1
          && fields <= MOST_FIELDS
          && lines.stream().allMatch(line -> line.size() == fields)
          && texts.stream().noneMatch(text -> text.contains("\"") || text.contains("\n"))) {
        List<Column> columns =
            IntStream.range(0, fields)
                .mapToObj(i -> column(i, lines.stream().map(line -> line.get(i)).toList()))
                .toList();
        if (columns.stream().anyMatch(column -> !column.type().equals("STRING"))) {
          return Optional.of(new RecordFormat.Csv(delimiter, columns));
        }
      }
    }
    return Optional.empty();
  }

  private static Column column(int index, List<String> cells) {
    return cells.stream()
        .map(cell -> PayloadShape.ofCell("f" + (index + 1), cell))
        .reduce(PayloadShape::common)
        .orElseThrow();
  }
}
