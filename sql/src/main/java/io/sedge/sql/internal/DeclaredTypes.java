package io.sedge.sql.internal;

import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.flink.sql.parser.type.ExtendedSqlRowTypeNameSpec;

/** Refuses types that Calcite would narrow without a word. */
final class DeclaredTypes {
  private DeclaredTypes() {}

  /**
   * Looks through a type, and those within it.
   *
   * @throws UnsupportedException if a DECIMAL has more digits than there are
   */
  static void check(SqlTypeNameSpec type) {
    switch (type) {
      case ExtendedSqlRowTypeNameSpec row ->
          row.getFieldTypes().stream()
              .map(SqlDataTypeSpec::getTypeNameSpec)
              .forEach(DeclaredTypes::check);
      case SqlCollectionTypeNameSpec array -> check(array.getElementTypeName());
      case SqlBasicTypeNameSpec basic when isDecimal(basic) && basic.getPrecision() >= 0 ->
          checkDecimal(basic, basic.getPrecision(), Math.max(0, basic.getScale()));
      default -> {}
    }
  }

  private static boolean isDecimal(SqlTypeNameSpec type) {
    return type.getTypeName().getSimple().equals("DECIMAL");
  }

  private static void checkDecimal(SqlTypeNameSpec type, int precision, int scale) {
    if (precision < 1 || precision > TypeRules.MAX_DECIMAL_PRECISION) {
      throw new UnsupportedException(
          "DECIMAL(%d, %d): a DECIMAL has 1 to %d digits"
              .formatted(precision, scale, TypeRules.MAX_DECIMAL_PRECISION),
          null,
          type.getParserPos());
    }
    if (scale > precision) {
      throw new UnsupportedException(
          "DECIMAL(%d, %d): %d of %d digits cannot stand after the point"
              .formatted(precision, scale, scale, precision),
          null,
          type.getParserPos());
    }
  }
}
