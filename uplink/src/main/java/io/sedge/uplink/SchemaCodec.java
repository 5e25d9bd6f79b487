package io.sedge.uplink;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns with their types:
 *
 * <pre>
 *   schema   count 4, for each column: name, type
 *   type     kind (its name), precision 4, scale 4, nullable 1, count of children 4, children, names
 * </pre>
 */
final class SchemaCodec {
  private static final int MAX_COLUMNS = 1_024;
  private static final int MAX_DEPTH = 16;

  private SchemaCodec() {}

  static void write(Schema schema, DataOutputStream output) throws IOException {
    output.writeInt(schema.size());
    for (Schema.Field field : schema.fields()) {
      output.writeUTF(field.name());
      write(field.type(), output);
    }
  }

  private static void write(Type type, DataOutputStream output) throws IOException {
    output.writeUTF(type.kind().name());
    output.writeInt(type.precision());
    output.writeInt(type.scale());
    output.writeBoolean(type.nullable());
    output.writeInt(type.children().size());
    for (int i = 0; i < type.children().size(); i++) {
      write(type.children().get(i), output);
    }
    for (String name : type.names()) {
      output.writeUTF(name);
    }
  }

  static Schema read(DataInputStream input) throws IOException {
    int size = Wire.bounded(input.readInt(), MAX_COLUMNS, "columns");
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < size; i++) {
      schema.add(input.readUTF(), readType(input, 0));
    }
    return schema.build();
  }

  private static Type readType(DataInputStream input, int depth) throws IOException {
    Wire.bounded(depth, MAX_DEPTH, "types inside each other");
    Kind kind = Kind.valueOf(input.readUTF());
    int precision = input.readInt();
    int scale = input.readInt();
    boolean nullable = input.readBoolean();
    int size = Wire.bounded(input.readInt(), MAX_COLUMNS, "fields");
    List<Type> children = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      children.add(readType(input, depth + 1));
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; kind == Kind.ROW && i < size; i++) {
      names.add(input.readUTF());
    }
    return new Type(kind, precision, scale, nullable, children, names);
  }
}
