package io.sedge.connector.filesystem.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The columns of PARTITIONED BY: their values stand in the names of directories, {@code
 * day=2026-01-31}, not in the files. One thread.
 */
final class Partitions {
  private static final Map<String, String> TEXT = Map.of("raw.encoding", "text");

  private final String defaultName;
  private final List<String> names = new ArrayList<>();
  private final List<Integer> columns = new ArrayList<>();
  private final List<RowDecoder> decoders = new ArrayList<>();
  private final List<RowEncoder> encoders = new ArrayList<>();
  private final List<Integer> payloadColumns;

  Partitions(TableDescriptor table, FilesystemOptions options, ConnectorContext context) {
    defaultName = options.defaultPartition();
    FormatFactory text = context.formats().byName().get("raw");
    for (String name : table.partitionKeys()) {
      int column = table.schema().indexOf(name);
      if (column < 0 || text == null) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: PARTITIONED BY names `%s`, which is no column of its own"
                .formatted(table.name(), name));
      }
      names.add(name);
      columns.add(column);
      decoders.add(text.decoder(table.schema(), List.of(column), TEXT));
      encoders.add(text.encoder(table.schema(), List.of(column), TEXT));
    }
    payloadColumns = payloadColumns(table);
  }

  /** The columns that stand in the files of a table. */
  static List<Integer> payloadColumns(TableDescriptor table) {
    return Formats.payloadColumns(table).stream()
        .filter(column -> !table.partitionKeys().contains(table.schema().name(column)))
        .toList();
  }

  /** The columns that stand in the files. */
  List<Integer> payloadColumns() {
    return payloadColumns;
  }

  /** Fills the partition columns of the row at hand. */
  void add(FoundFile file, BatchBuilder builder) throws MalformedPayloadException {
    for (int i = 0; i < names.size(); i++) {
      String value = value(file.path(), names.get(i));
      if (value.equals(defaultName)) {
        builder.column(columns.get(i)).addNull();
      } else {
        byte[] bytes = value.getBytes(UTF_8);
        decoders.get(i).decode(bytes, 0, bytes.length, builder);
      }
    }
  }

  private static String value(Path path, String name) throws MalformedPayloadException {
    String prefix = name + "=";
    for (Path part : path) {
      if (part.toString().startsWith(prefix)) {
        return PartitionName.unescape(part.toString().substring(prefix.length()));
      }
    }
    throw new MalformedPayloadException(
        "%s lies in no directory %s…, so it has no partition".formatted(path, prefix));
  }

  /** The directory of a row, relative to the table's: {@code day=2026-01-31/}. */
  String directory(Batch batch, int row) {
    StringBuilder directory = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      ByteArrayOutputStream value = new ByteArrayOutputStream();
      encode(encoders.get(i), batch, row, value);
      String text = value.size() == 0 ? defaultName : PartitionName.escape(value.toString(UTF_8));
      directory.append(PartitionName.fitted(names.get(i) + "=" + text)).append('/');
    }
    return directory.toString();
  }

  private static void encode(RowEncoder encoder, Batch batch, int row, ByteArrayOutputStream to) {
    try {
      encoder.encode(batch, row, to);
    } catch (MalformedRowException e) {
      throw new IllegalStateException("a text holds any value", e);
    }
  }

  boolean isEmpty() {
    return names.isEmpty();
  }
}
