package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Functions that choose, and those about types, with Flink's rules for their types. */
final class ConditionalFunctions {
  private ConditionalFunctions() {}

  static List<SqlOperator> all() {
    List<SqlOperator> list = new ArrayList<>();
    list.add(Operators.TRY_CAST);
    for (Map.Entry<String, SqlOperandTypeChecker> entry :
        Map.of(
                "COALESCE",
                OperandTypes.VARIADIC,
                "IFNULL",
                OperandTypes.family(SqlTypeFamily.ANY, SqlTypeFamily.ANY))
            .entrySet()) {
      list.add(
          SqlBasicFunction.create(
                  entry.getKey(),
                  FunctionTypes.COALESCE,
                  entry.getValue(),
                  SqlFunctionCategory.SYSTEM)
              .withOperandTypeInference(InferTypes.FIRST_KNOWN));
    }
    list.add(
        Declare.function(
            "IF",
            FunctionTypes.IF,
            Declare.families(SqlTypeFamily.BOOLEAN, SqlTypeFamily.ANY, SqlTypeFamily.ANY)));
    for (String name : List.of("GREATEST", "LEAST")) {
      list.add(Declare.function(name, FunctionTypes.LEAST_RESTRICTIVE, OperandTypes.SAME_VARIADIC));
    }
    list.add(
        Declare.function(
            "TYPEOF",
            FunctionTypes.STRING,
            OperandTypes.or(
                OperandTypes.ANY, Declare.families(SqlTypeFamily.ANY, SqlTypeFamily.BOOLEAN))));
    return list;
  }
}
