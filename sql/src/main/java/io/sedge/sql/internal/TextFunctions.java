package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Functions of text, with Flink's rules for their types. */
final class TextFunctions {
  private TextFunctions() {}

  static List<SqlOperator> all() {
    SqlTypeFamily text = SqlTypeFamily.CHARACTER;
    SqlTypeFamily number = SqlTypeFamily.INTEGER;
    SqlReturnTypeInference string = FunctionTypes.STRING;
    SqlReturnTypeInference stringOrNull = FunctionTypes.STRING_OR_NULL;
    SqlReturnTypeInference bool = ReturnTypes.BOOLEAN_NULLABLE;
    SqlReturnTypeInference integer = ReturnTypes.INTEGER_NULLABLE;
    List<SqlOperator> list = new ArrayList<>();
    list.add(
        Declare.function(
            "CONCAT", string, OperandTypes.repeat(Declare.atLeast(1), OperandTypes.CHARACTER)));
    list.add(
        Declare.function(
            "CONCAT_WS", string, OperandTypes.repeat(Declare.atLeast(1), OperandTypes.CHARACTER)));
    for (String name : List.of("SUBSTRING", "SUBSTR")) {
      list.add(
          Declare.function(
              name,
              FunctionTypes.ARGUMENT_VARCHAR,
              OperandTypes.or(
                  Declare.families(text, number), Declare.families(text, number, number))));
    }
    for (String name : List.of("LEFT", "RIGHT")) {
      list.add(
          Declare.function(name, FunctionTypes.ARGUMENT_VARCHAR, Declare.families(text, number)));
    }
    for (String name : List.of("LPAD", "RPAD")) {
      list.add(Declare.function(name, string, Declare.families(text, number, text)));
    }
    for (String name : List.of("LTRIM", "RTRIM", "BTRIM")) {
      list.add(
          Declare.function(
              name, string, OperandTypes.or(Declare.families(text), Declare.families(text, text))));
    }
    list.add(Declare.function("REPEAT", string, Declare.families(text, number)));
    list.add(Declare.function("REVERSE", stringOrNull, Declare.families(text)));
    list.add(Declare.function("REPLACE", string, Declare.families(text, text, text)));
    list.add(Declare.function("TRANSLATE3", string, Declare.families(text, text, text)));
    list.add(
        Declare.function(
            "SPLIT_INDEX",
            stringOrNull,
            OperandTypes.or(
                Declare.families(text, text, number), Declare.families(text, number, number))));
    list.add(
        Declare.function("SPLIT", FunctionTypes.STRINGS_OR_NULL, Declare.families(text, text)));
    list.add(Declare.function("ELT", FunctionTypes.ELT, OperandTypes.VARIADIC));
    list.add(Declare.function("CHR", stringOrNull, Declare.families(number)));
    list.add(Declare.function("ASCII", integer, Declare.families(text)));
    list.add(Declare.function("INSTR", integer, Declare.families(text, text)));
    list.add(
        Declare.function(
            "LOCATE",
            integer,
            OperandTypes.or(Declare.families(text, text), Declare.families(text, text, number))));
    list.add(Declare.function("STARTSWITH", bool, Declare.families(text, text)));
    list.add(Declare.function("ENDSWITH", bool, Declare.families(text, text)));
    for (String name : List.of("IS_DECIMAL", "IS_DIGIT", "IS_ALPHA")) {
      list.add(
          Declare.function(
              name,
              ReturnTypes.BOOLEAN,
              OperandTypes.or(OperandTypes.CHARACTER, OperandTypes.NUMERIC)));
    }
    list.add(Declare.function("REGEXP", bool, Declare.families(text, text)));
    list.add(Declare.function("REGEXP_REPLACE", string, Declare.families(text, text, text)));
    list.add(
        Declare.function(
            "REGEXP_EXTRACT",
            stringOrNull,
            OperandTypes.or(Declare.families(text, text), Declare.families(text, text, number))));
    list.add(
        Declare.function(
            "REGEXP_EXTRACT_ALL",
            FunctionTypes.STRINGS_OR_NULL,
            OperandTypes.or(Declare.families(text, text), Declare.families(text, text, number))));
    list.add(
        Declare.function("REGEXP_COUNT", FunctionTypes.INT_OR_NULL, Declare.families(text, text)));
    list.add(
        Declare.function("REGEXP_INSTR", FunctionTypes.INT_OR_NULL, Declare.families(text, text)));
    list.add(Declare.function("REGEXP_SUBSTR", stringOrNull, Declare.families(text, text)));
    list.add(Declare.function("TO_BASE64", string, Declare.families(text)));
    list.add(Declare.function("FROM_BASE64", string, Declare.families(text)));
    list.add(Declare.function("URL_ENCODE", stringOrNull, Declare.families(text)));
    list.add(Declare.function("URL_DECODE", stringOrNull, Declare.families(text)));
    list.add(
        Declare.function(
            "PARSE_URL",
            stringOrNull,
            OperandTypes.or(Declare.families(text, text), Declare.families(text, text, text))));
    list.add(Declare.function("MD5", FunctionTypes.character(32), Declare.families(text)));
    list.add(Declare.function("SHA1", FunctionTypes.character(40), Declare.families(text)));
    list.add(Declare.function("SHA224", FunctionTypes.character(56), Declare.families(text)));
    list.add(Declare.function("SHA256", FunctionTypes.character(64), Declare.families(text)));
    list.add(Declare.function("SHA384", FunctionTypes.character(96), Declare.families(text)));
    list.add(Declare.function("SHA512", FunctionTypes.character(128), Declare.families(text)));
    list.add(Declare.function("SHA2", FunctionTypes.HASH, Declare.families(text, number)));
    list.add(Declare.function("HASH_CODE", integer, OperandTypes.ANY));
    list.add(Declare.function("JSON_QUOTE", string, Declare.families(text)));
    list.add(Declare.function("JSON_UNQUOTE", string, Declare.families(text)));
    return list;
  }
}
