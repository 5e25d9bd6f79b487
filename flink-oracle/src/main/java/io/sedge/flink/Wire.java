package io.sedge.flink;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Values between the tests and the process that runs Flink: a tag, then text or a list. Whole
 * numbers of every width become Long, FLOAT becomes Double, an interval its microseconds or months.
 */
final class Wire {
  private Wire() {}

  static void write(@Nullable Object value, DataOutput output) throws IOException {
    switch (value) {
      case null -> output.writeByte('N');
      case Boolean v -> text('B', v, output);
      case Byte v -> text('L', v, output);
      case Short v -> text('L', v, output);
      case Integer v -> text('L', v, output);
      case Long v -> text('L', v, output);
      case Float v -> text('F', v, output);
      case Double v -> text('F', v, output);
      case BigDecimal v -> text('D', v.toPlainString(), output);
      case String v -> text('S', v, output);
      case LocalDate v -> text('d', v, output);
      case LocalTime v -> text('t', v, output);
      case LocalDateTime v -> text('T', v, output);
      case Instant v -> text('I', v, output);
      case Duration v -> text('L', TimeUnit.MICROSECONDS.convert(v), output);
      case Period v -> text('L', v.toTotalMonths(), output);
      case List<?> list -> {
        output.writeByte('A');
        output.writeInt(list.size());
        for (Object element : list) {
          write(element, output);
        }
      }
      default -> throw new IllegalArgumentException("no tag for " + value.getClass() + " " + value);
    }
  }

  static @Nullable Object read(DataInput input) throws IOException {
    char tag = (char) input.readByte();
    return switch (tag) {
      case 'N' -> null;
      case 'B' -> Boolean.valueOf(text(input));
      case 'L' -> Long.valueOf(text(input));
      case 'F' -> Double.valueOf(text(input));
      case 'D' -> new BigDecimal(text(input));
      case 'S' -> text(input);
      case 'd' -> LocalDate.parse(text(input));
      case 't' -> LocalTime.parse(text(input));
      case 'T' -> LocalDateTime.parse(text(input));
      case 'I' -> Instant.parse(text(input));
      case 'A' -> {
        int size = input.readInt();
        List<@Nullable Object> list = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
          list.add(read(input));
        }
        yield list;
      }
      default -> throw new IOException("unknown tag " + tag);
    };
  }

  static void writeText(String text, DataOutput output) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  static String text(DataInput input) throws IOException {
    byte[] bytes = new byte[input.readInt()];
    input.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void text(char tag, Object value, DataOutput output) throws IOException {
    output.writeByte(tag);
    writeText(value.toString(), output);
  }
}
