package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;

/** Aggregates that are not Calcite's, with Flink's rules for their types. */
final class AggregateFunctions {
  private AggregateFunctions() {}

  static List<SqlOperator> all() {
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("FIRST_VALUE", "LAST_VALUE")) {
      list.add(
          Declare.aggregate(
              name,
              SqlKind.valueOf(name),
              ReturnTypes.ARG0_NULLABLE_IF_EMPTY,
              OperandTypes.or(
                  OperandTypes.ANY, Declare.families(SqlTypeFamily.ANY, SqlTypeFamily.ANY))));
    }
    list.add(
        Declare.aggregate(
            "LISTAGG",
            SqlKind.LISTAGG,
            ReturnTypes.explicit(SqlTypeName.VARCHAR).andThen(SqlTypeTransforms.FORCE_NULLABLE),
            OperandTypes.or(
                OperandTypes.CHARACTER,
                Declare.families(SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER))));
    SqlReturnTypeInference doubleOrNull =
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE);
    for (String name : List.of("PERCENTILE", "APPROX_QUANTILE")) {
      list.add(
          Declare.aggregate(
              name,
              SqlKind.OTHER_FUNCTION,
              doubleOrNull,
              Declare.families(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC)));
    }
    return list;
  }
}
