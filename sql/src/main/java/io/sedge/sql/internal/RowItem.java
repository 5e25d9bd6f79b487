package io.sedge.sql.internal;

import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.jspecify.annotations.Nullable;

/**
 * {@code r['field']}: the same as {@code r.field}, in the form in which Flink takes a value out of
 * a MAP.
 */
final class RowItem extends SqlSpecialOperator {
  static final RowItem INSTANCE = new RowItem();

  private RowItem() {
    super("[]", SqlKind.OTHER_FUNCTION);
  }

  /** Whether a call is of Calcite's operator, and with a constant text for an index. */
  static boolean is(SqlCall call) {
    return call.getOperator().equals(SqlStdOperatorTable.ITEM)
        && call.operand(1) instanceof SqlLiteral literal
        && literal.getTypeName() == SqlTypeName.CHAR;
  }

  @Override
  public SqlOperandCountRange getOperandCountRange() {
    return SqlOperandCountRanges.of(2);
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    SqlNode name = binding.operand(1);
    RelDataType row = binding.getOperandType(0);
    if (!row.isStruct()) {
      throw new UnsupportedException(
          "%s has no field %s".formatted(Types.of(row).withNullable(true), name),
          null,
          name.getParserPosition());
    }
    if (field(binding) == null) {
      throw new UnsupportedException(
          "this ROW has no field %s%s"
              .formatted(name, Names.didYouMean(text(binding), row.getFieldNames())),
          "one of " + String.join(", ", row.getFieldNames()),
          name.getParserPosition());
    }
    return true;
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataType type = Objects.requireNonNull(field(binding)).getType();
    return binding
        .getTypeFactory()
        .createTypeWithNullability(
            type, type.isNullable() || binding.getOperandType(0).isNullable());
  }

  /** In messages. */
  @Override
  public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    SqlStdOperatorTable.ITEM.unparse(writer, call, leftPrec, rightPrec);
  }

  private static String text(SqlOperatorBinding binding) {
    return Objects.requireNonNull(binding.getOperandLiteralValue(1, String.class));
  }

  private static @Nullable RelDataTypeField field(SqlOperatorBinding binding) {
    return binding.getOperandType(0).getField(text(binding), true, false);
  }

  /** As an access of the field. */
  static RexNode convert(SqlRexContext context, SqlCall call) {
    SqlLiteral name = call.operand(1);
    return context
        .getRexBuilder()
        .makeFieldAccess(
            context.convertExpression(call.operand(0)), name.getValueAs(String.class), true);
  }
}
