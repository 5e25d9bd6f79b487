package io.sedge.engine.type;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The columns of a batch or table, in order; names are unique. */
public record Schema(List<Field> fields) {

  /** A named column. */
  public record Field(String name, Type type) {}

  public Schema {
    fields = List.copyOf(fields);
    Set<String> seen = new HashSet<>();
    for (Field field : fields) {
      if (!seen.add(field.name())) {
        throw new IllegalArgumentException("column `%s` stands twice".formatted(field.name()));
      }
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  public int size() {
    return fields.size();
  }

  public Type type(int column) {
    return fields.get(column).type();
  }

  public String name(int column) {
    return fields.get(column).name();
  }

  /** The position of a column, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  public List<Type> types() {
    return fields.stream().map(Field::type).toList();
  }

  public List<String> names() {
    return fields.stream().map(Field::name).toList();
  }

  @Override
  public String toString() {
    return fields.stream()
        .map(field -> field.name() + " " + field.type())
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Collects fields in order. */
  public static final class Builder {
    private final List<Field> fields = new ArrayList<>();

    private Builder() {}

    public Builder add(String name, Type type) {
      fields.add(new Field(name, type));
      return this;
    }

    public Builder addAll(Schema schema) {
      fields.addAll(schema.fields());
      return this;
    }

    public Schema build() {
      return new Schema(fields);
    }
  }
}
