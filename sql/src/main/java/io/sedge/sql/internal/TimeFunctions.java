package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/** Functions of time, with Flink's rules for their types. */
final class TimeFunctions {
  /** The type of NOW() and CURRENT_TIMESTAMP. */
  private static final SqlReturnTypeInference INSTANT =
      FunctionTypes.timestamp(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3);

  private TimeFunctions() {}

  static List<SqlOperator> all() {
    SqlTypeFamily text = SqlTypeFamily.CHARACTER;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference stringOrNull = FunctionTypes.STRING_OR_NULL;
    List<SqlOperator> list = new ArrayList<>();
    list.add(Declare.function("PROCTIME", INSTANT, OperandTypes.NILADIC, false));
    list.add(Declare.constant("CURRENT_TIMESTAMP", INSTANT));
    list.add(Declare.function("NOW", INSTANT, OperandTypes.NILADIC, false));
    list.add(Declare.function("CURRENT_ROW_TIMESTAMP", INSTANT, OperandTypes.NILADIC, false));
    list.add(Declare.constant("LOCALTIMESTAMP", FunctionTypes.timestamp(SqlTypeName.TIMESTAMP, 3)));
    list.add(Declare.constant("CURRENT_TIME", ReturnTypes.explicit(SqlTypeName.TIME, 0)));
    list.add(Declare.constant("LOCALTIME", ReturnTypes.explicit(SqlTypeName.TIME, 0)));
    list.add(
        Declare.function(
            "DATE_FORMAT",
            stringOrNull,
            OperandTypes.or(
                Declare.families(SqlTypeFamily.TIMESTAMP, text), Declare.families(text, text))));
    list.add(
        Declare.function(
            "UNIX_TIMESTAMP",
            ReturnTypes.BIGINT_NULLABLE,
            OperandTypes.or(
                OperandTypes.NILADIC, Declare.families(text), Declare.families(text, text)),
            false));
    list.add(
        Declare.function(
            "FROM_UNIXTIME",
            stringOrNull,
            OperandTypes.or(Declare.families(number), Declare.families(number, text))));
    list.add(
        Declare.function(
            "TO_TIMESTAMP",
            FunctionTypes.timestampOrNull(SqlTypeName.TIMESTAMP, 3),
            OperandTypes.or(Declare.families(text), Declare.families(text, text))));
    list.add(
        Declare.function(
            "TO_TIMESTAMP_LTZ",
            FunctionTypes.INSTANT_OF_NUMBER,
            OperandTypes.or(
                Declare.families(SqlTypeFamily.NUMERIC),
                Declare.families(SqlTypeFamily.NUMERIC, number),
                Declare.families(text),
                Declare.families(text, text),
                Declare.families(text, text, text))));
    list.add(
        Declare.function(
            "TO_DATE",
            FunctionTypes.DATE_OR_NULL,
            OperandTypes.or(Declare.families(text), Declare.families(text, text))));
    list.add(Declare.function("CONVERT_TZ", stringOrNull, Declare.families(text, text, text)));
    return list;
  }
}
