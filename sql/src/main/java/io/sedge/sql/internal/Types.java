package io.sedge.sql.internal;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.sql.type.SqlTypeName;

/** Calcite's types to the engine's and back. */
final class Types {
  private Types() {}

  /**
   * The engine's type.
   *
   * @throws UnsupportedException if it has none
   */
  static Type of(RelDataType type) {
    Type found =
        switch (type.getSqlTypeName()) {
          case BOOLEAN -> Type.BOOLEAN;
          case TINYINT -> Type.TINYINT;
          case SMALLINT -> Type.SMALLINT;
          case INTEGER -> Type.INT;
          case BIGINT -> Type.BIGINT;
          case FLOAT, REAL -> Type.FLOAT;
          case DOUBLE -> Type.DOUBLE;
          case DECIMAL -> Type.decimal(type.getPrecision(), type.getScale());
          case CHAR -> Type.character(type.getPrecision());
          case VARCHAR -> Type.varchar(type.getPrecision());
          case DATE -> Type.DATE;
          case TIME -> Type.time(Math.max(0, type.getPrecision()));
          case TIMESTAMP -> Type.timestamp(timestampPrecision(type));
          case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Type.timestampLtz(timestampPrecision(type));
          case INTERVAL_DAY,
              INTERVAL_DAY_HOUR,
              INTERVAL_DAY_MINUTE,
              INTERVAL_DAY_SECOND,
              INTERVAL_HOUR,
              INTERVAL_HOUR_MINUTE,
              INTERVAL_HOUR_SECOND,
              INTERVAL_MINUTE,
              INTERVAL_MINUTE_SECOND,
              INTERVAL_SECOND ->
              Type.intervalDayTime();
          case INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> Type.intervalYearMonth();
          case ARRAY -> Type.array(of(Objects.requireNonNull(type.getComponentType())));
          case ROW ->
              Type.row(
                  type.getFieldNames(),
                  type.getFieldList().stream().map(field -> of(field.getType())).toList());
          case NULL -> Type.NULL;
          default -> throw unsupported(type);
        };
    return found.withNullable(type.isNullable());
  }

  /** The engine's schema of a row type. */
  static Schema schema(RelDataType rowType) {
    Schema.Builder builder = Schema.builder();
    for (RelDataTypeField field : rowType.getFieldList()) {
      builder.add(field.getName(), of(field.getType()));
    }
    return builder.build();
  }

  /** Calcite's type. */
  static RelDataType of(Type type, RelDataTypeFactory factory) {
    RelDataType found =
        switch (type.kind()) {
          case BOOLEAN -> factory.createSqlType(SqlTypeName.BOOLEAN);
          case TINYINT -> factory.createSqlType(SqlTypeName.TINYINT);
          case SMALLINT -> factory.createSqlType(SqlTypeName.SMALLINT);
          case INT -> factory.createSqlType(SqlTypeName.INTEGER);
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case FLOAT -> factory.createSqlType(SqlTypeName.FLOAT);
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DECIMAL ->
              factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
          case CHAR -> factory.createSqlType(SqlTypeName.CHAR, type.precision());
          case VARCHAR -> factory.createSqlType(SqlTypeName.VARCHAR, type.precision());
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case TIME -> factory.createSqlType(SqlTypeName.TIME, type.precision());
          case TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, type.precision());
          case TIMESTAMP_LTZ ->
              factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, type.precision());
          case ARRAY -> factory.createArrayType(of(type.children().getFirst(), factory), -1);
          case ROW -> {
            List<RelDataType> fields =
                type.children().stream().map(child -> of(child, factory)).toList();
            // rec.a means the field a of the column rec; rec.* is not expanded by *.
            yield factory.createStructType(StructKind.PEEK_FIELDS_NO_EXPAND, fields, type.names());
          }
          case NULL -> factory.createSqlType(SqlTypeName.NULL);
          case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
              throw new UnsupportedException(
                  "a column cannot be of type " + type, "BIGINT for a number of milliseconds");
        };
    return factory.createTypeWithNullability(found, type.nullable());
  }

  private static int timestampPrecision(RelDataType type) {
    int precision = type.getPrecision();
    if (precision > Type.MAX_TIMESTAMP_PRECISION) {
      throw new UnsupportedException(
          "%s is finer than microseconds".formatted(type.getFullTypeString()),
          type.getSqlTypeName() == SqlTypeName.TIMESTAMP ? "TIMESTAMP(6)" : "TIMESTAMP_LTZ(6)");
    }
    return precision;
  }

  private static UnsupportedException unsupported(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BINARY, VARBINARY ->
          new UnsupportedException(
              "binary values are not supported",
              "STRING, and have the source encode the bytes as text");
      case MAP ->
          new UnsupportedException(
              "the type MAP is not supported", "ROW<…>, or a STRING of JSON read with JSON_VALUE");
      case MULTISET -> new UnsupportedException("the type MULTISET is not supported", "ARRAY<…>");
      default -> new UnsupportedException("the type %s is not supported".formatted(type), null);
    };
  }

  /** Whether values of one kind are numbers or strings of numbers, so that they can be cast. */
  static boolean sameIgnoringNulls(Type left, Type right) {
    return left.withNullable(true).equals(right.withNullable(true)) || bothNull(left, right);
  }

  private static boolean bothNull(Type left, Type right) {
    return left.kind() == Kind.NULL && right.kind() == Kind.NULL;
  }
}
