package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Functions of numbers that are not Calcite's, with Flink's rules for their types. */
final class NumberFunctions {
  private NumberFunctions() {}

  static List<SqlOperator> all() {
    List<SqlOperator> list = new ArrayList<>();
    for (String name : List.of("LOG2", "SINH", "COSH", "TANH", "SQRT")) {
      list.add(Declare.function(name, ReturnTypes.DOUBLE_NULLABLE, OperandTypes.NUMERIC));
    }
    list.add(
        Declare.function(
            "LOG",
            ReturnTypes.DOUBLE_NULLABLE,
            OperandTypes.or(OperandTypes.NUMERIC, OperandTypes.NUMERIC_NUMERIC)));
    for (String name : List.of("ROUND", "TRUNCATE")) {
      list.add(
          Declare.function(
              name,
              FunctionTypes.ROUND,
              OperandTypes.or(OperandTypes.NUMERIC_INTEGER, OperandTypes.NUMERIC)));
    }
    list.add(
        Declare.function("BIN", FunctionTypes.STRING, Declare.families(SqlTypeFamily.INTEGER)));
    list.add(
        Declare.function(
            "HEX",
            FunctionTypes.STRING,
            OperandTypes.or(Declare.families(SqlTypeFamily.INTEGER), OperandTypes.CHARACTER)));
    list.add(Declare.function("E", ReturnTypes.DOUBLE, OperandTypes.NILADIC));
    list.add(Declare.function("PI", ReturnTypes.DOUBLE, OperandTypes.NILADIC));
    list.add(SqlStdOperatorTable.PI);
    list.add(
        Declare.function(
            "RAND",
            ReturnTypes.DOUBLE,
            OperandTypes.or(OperandTypes.NILADIC, OperandTypes.NUMERIC),
            false));
    list.add(
        Declare.function(
            "RAND_INTEGER",
            ReturnTypes.INTEGER,
            OperandTypes.or(
                Declare.families(SqlTypeFamily.INTEGER),
                Declare.families(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER)),
            false));
    list.add(Declare.function("UUID", FunctionTypes.character(36), OperandTypes.NILADIC, false));
    return list;
  }
}
