package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * Keeps as calls what Calcite would rewrite into other functions whose results are not Flink's to
 * the last digit: differences of times, rounding of times. Averages and deviations OVER frames are
 * rewritten into sums, as Flink does it, where whole numbers are divided as such.
 */
final class Convertlets implements SqlRexConvertletTable {
  static final Convertlets INSTANCE = new Convertlets();

  private static final Set<String> KEPT =
      Set.of(
          "FLOOR",
          "CEIL",
          "CEILING",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF",
          "IS DISTINCT FROM",
          "IS NOT DISTINCT FROM",
          "EXTRACT");

  private Convertlets() {}

  @Override
  public @Nullable SqlRexConvertlet get(SqlCall call) {
    if (call.getOperator() instanceof Cast) {
      return Convertlets::cast;
    }
    if (call.getOperator() instanceof TryCast) {
      return Convertlets::tryCast;
    }
    if (call.getOperator() instanceof RowItem) {
      return RowItem::convert;
    }
    // Functions of our own table may have the name of one of Calcite's that it would rewrite.
    boolean own = call.getOperator() instanceof SqlBasicFunction;
    return own || KEPT.contains(call.getOperator().getName())
        ? Convertlets::keep
        : StandardConvertletTable.INSTANCE.get(call);
  }

  private static RexNode keep(SqlRexContext context, SqlCall call) {
    RexBuilder builder = context.getRexBuilder();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      operands.add(
          operand instanceof SqlIntervalQualifier unit
              ? builder.makeFlag(unit.getUnit())
              : context.convertExpression(operand));
    }
    RelDataType type = context.getValidator().getValidatedNodeTypeIfKnown(call);
    return type == null
        ? builder.makeCall(call.getOperator(), operands)
        : builder.makeCall(type, call.getOperator(), operands);
  }

  private static RexNode cast(SqlRexContext context, SqlCall call) {
    RexNode operand = context.convertExpression(call.operand(0));
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    return operand instanceof RexLiteral
        ? context.getRexBuilder().makeCast(type, operand)
        : context.getRexBuilder().makeCall(type, SqlStdOperatorTable.CAST, List.of(operand));
  }

  private static RexNode tryCast(SqlRexContext context, SqlCall call) {
    RexNode operand = context.convertExpression(call.operand(0));
    SqlDataTypeSpec spec = call.operand(1);
    RelDataType type =
        context
            .getTypeFactory()
            .createTypeWithNullability(spec.deriveType(context.getValidator()), true);
    return context.getRexBuilder().makeCall(type, call.getOperator(), List.of(operand));
  }
}
