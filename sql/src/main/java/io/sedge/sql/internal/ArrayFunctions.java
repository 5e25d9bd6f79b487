package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Functions of arrays, with Flink's rules for their types. */
final class ArrayFunctions {
  private ArrayFunctions() {}

  static List<SqlOperator> all() {
    SqlTypeFamily array = SqlTypeFamily.ARRAY;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference same = ReturnTypes.ARG0_NULLABLE;
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("ARRAY_APPEND", "ARRAY_PREPEND", "ARRAY_REMOVE")) {
      list.add(withElement(name, same));
    }
    for (String name : List.of("ARRAY_DISTINCT", "ARRAY_REVERSE")) {
      list.add(Declare.function(name, same, Declare.families(array)));
    }
    for (String name : List.of("ARRAY_UNION", "ARRAY_EXCEPT", "ARRAY_INTERSECT", "ARRAY_CONCAT")) {
      list.add(Declare.function(name, same, Declare.families(array, array)));
    }
    list.add(
        Declare.function(
            "ARRAY_SORT",
            same,
            OperandTypes.or(
                Declare.families(array),
                Declare.families(array, SqlTypeFamily.BOOLEAN),
                Declare.families(array, SqlTypeFamily.BOOLEAN, SqlTypeFamily.BOOLEAN))));
    list.add(
        Declare.function(
            "ARRAY_SLICE",
            same,
            OperandTypes.or(
                Declare.families(array, number), Declare.families(array, number, number))));
    list.add(withElement("ARRAY_CONTAINS", ReturnTypes.BOOLEAN_NULLABLE));
    list.add(withElement("ARRAY_POSITION", ReturnTypes.INTEGER_NULLABLE));
    for (String name : List.of("ARRAY_MAX", "ARRAY_MIN")) {
      list.add(Declare.function(name, FunctionTypes.ELEMENT_OR_NULL, Declare.families(array)));
    }
    list.add(
        Declare.function(
            "ARRAY_JOIN",
            FunctionTypes.STRING,
            OperandTypes.or(
                Declare.families(array, SqlTypeFamily.CHARACTER),
                Declare.families(array, SqlTypeFamily.CHARACTER, SqlTypeFamily.CHARACTER))));
    return list;
  }

  /** A function of an array and of a value of its elements' type, which NULL is too. */
  private static SqlFunction withElement(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(
            name,
            type,
            Declare.families(SqlTypeFamily.ARRAY, SqlTypeFamily.ANY),
            SqlFunctionCategory.SYSTEM)
        .withOperandTypeInference(FunctionTypes.ELEMENT);
  }
}
