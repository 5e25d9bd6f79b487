package io.sedge.uplink;

import io.sedge.engine.type.Schema;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a sink table of a job are going to come: a stream, the same whichever device of the site
 * sends it. The site is who shows its certificate.
 *
 * @param job the name of the job
 * @param task which of its tasks numbers the rows
 * @param sink the table in the job's script
 * @param table the table that they are stored in
 * @param schema its columns
 * @param primaryKey the columns by which rows replace each other, by position; empty if each row is
 *     one of its own
 */
public record StreamOpening(
    String job, String task, String sink, String table, Schema schema, List<Integer> primaryKey) {
  private static final int MAX_COLUMNS = 1_024;

  public StreamOpening {
    primaryKey = List.copyOf(primaryKey);
  }

  /** As it travels. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeUTF(job);
    output.writeUTF(task);
    output.writeUTF(sink);
    output.writeUTF(table);
    SchemaCodec.write(schema, output);
    output.writeInt(primaryKey.size());
    for (int column : primaryKey) {
      output.writeInt(column);
    }
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static StreamOpening read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, StreamOpening::read);
  }

  private static StreamOpening read(DataInputStream input) throws IOException {
    String job = input.readUTF();
    String task = input.readUTF();
    String sink = input.readUTF();
    String table = input.readUTF();
    Schema schema = SchemaCodec.read(input);
    int size = Wire.bounded(input.readInt(), MAX_COLUMNS, "columns of a key");
    List<Integer> key = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      key.add(Wire.bounded(input.readInt(), schema.size() - 1, "the position of a column"));
    }
    return new StreamOpening(job, task, sink, table, schema, key);
  }
}
