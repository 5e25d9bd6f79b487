package io.sedge.learning.tensors;

import io.sedge.engine.type.Kind;

/** What the elements of a tensor are that columns fill or are made of. */
public enum ElementType {
  FLOAT(Float.BYTES, "DOUBLE"),
  DOUBLE(Double.BYTES, "DOUBLE"),
  INT64(Long.BYTES, "BIGINT"),
  INT32(Integer.BYTES, "INT"),
  BOOL(Byte.BYTES, "BOOLEAN"),
  /** Its bytes are those of a reference. */
  STRING(Long.BYTES, "STRING");

  private final int bytes;
  private final String column;

  ElementType(int bytes, String column) {
    this.bytes = bytes;
    this.column = column;
  }

  /** How many bytes an element has. */
  public int bytes() {
    return bytes;
  }

  /** The type of a column that is made of it, as a script has it. */
  String column() {
    return column;
  }

  /** Whether a column of a kind fills it. */
  boolean takes(Kind kind) {
    return switch (this) {
      case FLOAT, DOUBLE -> kind.isInteger() || kind == Kind.FLOAT || kind == Kind.DOUBLE;
      case INT64 -> kind.isInteger();
      case INT32 -> kind.isInteger() && kind != Kind.BIGINT;
      case BOOL -> kind == Kind.BOOLEAN;
      case STRING -> kind.isString();
    };
  }

  /** Whether a column of a kind is made of it. */
  boolean gives(Kind kind) {
    return switch (this) {
      case FLOAT -> kind == Kind.FLOAT || kind == Kind.DOUBLE;
      case DOUBLE -> kind == Kind.DOUBLE;
      case INT64 -> kind == Kind.BIGINT;
      case INT32 -> kind == Kind.INT || kind == Kind.BIGINT;
      case BOOL -> kind == Kind.BOOLEAN;
      case STRING -> kind == Kind.VARCHAR;
    };
  }
}
