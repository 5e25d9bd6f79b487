package io.sedge.connector.history.internal;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the rows of a journal or segment are.
 *
 * @param schema the columns that the source gives
 * @param timeColumn the TIMESTAMP or TIMESTAMP_LTZ column that rows are ordered by; -1 where that
 *     is when they came
 */
record Shape(Schema schema, int timeColumn) {
  private static final int MAX_DEPTH = 32;
  private static final int MAX_COLUMNS = 10_000;

  /** Whether rows are ordered by a column of that name. */
  boolean isOrderedBy(String column) {
    return timeColumn >= 0 && schema.name(timeColumn).equals(column);
  }

  void write(DataOutput output) throws IOException {
    output.writeInt(timeColumn);
    output.writeInt(schema.size());
    for (Schema.Field field : schema.fields()) {
      output.writeUTF(field.name());
      write(field.type(), output);
    }
  }

  static Shape read(DataInput input) throws IOException {
    int timeColumn = input.readInt();
    int size = checked(input.readInt());
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < size; i++) {
      schema.add(input.readUTF(), readType(input, 0));
    }
    if (timeColumn < -1 || timeColumn >= size) {
      throw new IOException("column %d of %d is no time".formatted(timeColumn, size));
    }
    return new Shape(schema.build(), timeColumn);
  }

  private static void write(Type type, DataOutput output) throws IOException {
    output.writeUTF(type.kind().name());
    output.writeInt(type.precision());
    output.writeInt(type.scale());
    output.writeBoolean(type.nullable());
    output.writeInt(type.children().size());
    for (Type child : type.children()) {
      write(child, output);
    }
    output.writeInt(type.names().size());
    for (String name : type.names()) {
      output.writeUTF(name);
    }
  }

  private static Type readType(DataInput input, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw new IOException("a type of more than %d levels".formatted(MAX_DEPTH));
    }
    Kind kind = kind(input.readUTF());
    int precision = input.readInt();
    int scale = input.readInt();
    boolean nullable = input.readBoolean();
    List<Type> children = new ArrayList<>();
    for (int left = checked(input.readInt()); left > 0; left--) {
      children.add(readType(input, depth + 1));
    }
    List<String> names = new ArrayList<>();
    for (int left = checked(input.readInt()); left > 0; left--) {
      names.add(input.readUTF());
    }
    return new Type(kind, precision, scale, nullable, children, names);
  }

  private static Kind kind(String name) throws IOException {
    try {
      return Kind.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new IOException("there is no type " + name, e);
    }
  }

  private static int checked(int count) throws IOException {
    if (count < 0 || count > MAX_COLUMNS) {
      throw new IOException("%d columns are not believed".formatted(count));
    }
    return count;
  }
}
