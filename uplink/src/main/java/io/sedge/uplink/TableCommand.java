package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row for a sink table of a job of the site.
 *
 * @param values by column, as text that the site reads by the column's type; columns that are not
 *     named are NULL
 */
public record TableCommand(String job, String table, Map<String, String> values)
    implements OrderBody {
  /** What its kind is called. */
  public static final String KIND = "command";

  /** The most columns that it may name. */
  public static final int MAX_COLUMNS = 256;

  private static final int VERSION = 1;

  public TableCommand {
    values = Map.copyOf(values);
    if (values.isEmpty() || values.size() > MAX_COLUMNS) {
      throw new IllegalArgumentException(
          "a command names %d columns; 1 to %d are allowed".formatted(values.size(), MAX_COLUMNS));
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(VERSION);
    output.writeUTF(job);
    output.writeUTF(table);
    output.writeInt(values.size());
    for (Map.Entry<String, String> value : new TreeMap<>(values).entrySet()) {
      output.writeUTF(value.getKey());
      output.writeUTF(value.getValue());
    }
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static TableCommand read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, TableCommand::read);
  }

  private static TableCommand read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    String job = input.readUTF();
    String table = input.readUTF();
    int size = Wire.bounded(input.readInt(), MAX_COLUMNS, "columns of a command");
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      values.put(input.readUTF(), input.readUTF());
    }
    return new TableCommand(job, table, values);
  }

  /** The row, for people: {@code job.table column=value ...}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(job).append('.').append(table);
    new TreeMap<>(values)
        .forEach((column, value) -> text.append(' ').append(column).append('=').append(value));
    return text.toString();
  }
}
