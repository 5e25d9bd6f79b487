package io.sedge.site.internal.downlink;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Allowance;
import io.sedge.uplink.TableCommand;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the row of a command. Values are read as format {@code json} reads strings, with times as
 * ISO 8601 has them, but for what that passes over: columns that are not there, and values that
 * become NULL or {@code false} though they were meant to be something.
 */
final class CommandRow {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> OPTIONS =
      Map.of("json.timestamp-format.standard", "ISO-8601");

  private CommandRow() {}

  /** The command is not one for its table; the message is for people. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  static Batch of(TableCommand command, Schema schema, Allowance allowance)
      throws RefusedException {
    for (String column : new TreeSet<>(command.values().keySet())) {
      if (!schema.names().contains(column)) {
        throw new RefusedException(
            "table %s has no column `%s`; it has %s"
                .formatted(command.table(), column, String.join(", ", schema.names())));
      }
    }
    Batch row = decoded(command, schema);
    for (int i = 0; i < schema.size(); i++) {
      String text = command.values().get(schema.name(i));
      Object value = row.column(i).value(0);
      if (text != null) {
        check(schema.name(i), schema.type(i), text, value);
        checkAllowed(schema.name(i), value, allowance);
      } else if (!schema.type(i).nullable()) {
        throw new RefusedException("column `%s` needs a value".formatted(schema.name(i)));
      }
    }
    return row;
  }

  private static Batch decoded(TableCommand command, Schema schema) throws RefusedException {
    List<Integer> columns = IntStream.range(0, schema.size()).boxed().toList();
    RowDecoder decoder =
        Objects.requireNonNull(
                Formats.installed(CommandRow.class.getClassLoader()).byName().get("json"))
            .decoder(schema, columns, OPTIONS);
    BatchBuilder builder = new BatchBuilder(schema);
    try {
      byte[] json = JSON.writeValueAsBytes(command.values());
      decoder.decode(json, 0, json.length, builder);
      builder.endRow();
      return builder.build();
    } catch (MalformedPayloadException e) {
      throw new RefusedException(String.valueOf(e.getMessage()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts that JSON cannot hold", e);
    }
  }

  private static void check(String column, Type type, String text, @Nullable Object value)
      throws RefusedException {
    if (value == null) {
      throw new RefusedException(
          "column `%s` is %s, which '%s' is not".formatted(column, type, text));
    }
  }

  private static void checkAllowed(String column, @Nullable Object value, Allowance allowance)
      throws RefusedException {
    if (allowance.columns().isEmpty()) {
      return;
    }
    Optional<Allowance.Column> allowed =
        allowance.columns().stream().filter(known -> known.name().equals(column)).findFirst();
    if (allowed.isEmpty()) {
      throw new RefusedException("the site lets no center set column `%s`".formatted(column));
    }
    String least = allowed.get().least();
    String most = allowed.get().most();
    if (least.isEmpty() && most.isEmpty()) {
      return;
    }
    BigDecimal number = number(column, value);
    boolean low = !least.isEmpty() && number.compareTo(new BigDecimal(least)) < 0;
    if (low || (!most.isEmpty() && number.compareTo(new BigDecimal(most)) > 0)) {
      throw new RefusedException(
          "column `%s` is %s; the site allows %s"
              .formatted(column, number.toPlainString(), range(least, most)));
    }
  }

  private static String range(String least, String most) {
    if (least.isEmpty()) {
      return most + " at most";
    }
    return most.isEmpty() ? least + " at least" : "%s to %s".formatted(least, most);
  }

  /** NaN and infinite values are in no range. */
  private static BigDecimal number(String column, @Nullable Object value) throws RefusedException {
    try {
      return new BigDecimal(String.valueOf(value));
    } catch (NumberFormatException _) {
      throw new RefusedException(
          "column `%s` is %s, which is in no range".formatted(column, value));
    }
  }
}
