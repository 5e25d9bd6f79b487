package io.sedge.sql.internal;

import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Statements of Flink that a script may not have here, and what to do instead. */
final class Refusals {
  private static final Map<String, String> REMEDIES =
      Map.of(
          "SHOW", "sedge explain, which shows what a script reads, computes and writes",
          "DESCRIBE", "sedge explain, which shows the columns of tables",
          "EXPLAIN", "sedge explain FILE",
          "USE", "nothing: a script has one catalog and one database",
          "ALTER", "the change in CREATE TABLE",
          "ALTER MODEL", "the change in CREATE MODEL, or ALTER MODEL m SET (…)",
          "ADD", "CREATE FUNCTION … USING JAR 'file.jar'",
          "DELETE", "a filter in the query that writes the table",
          "UPDATE", "a query that writes the table");

  private Refusals() {}

  static UnsupportedException statement(SqlNode node, SqlParserPos begin) {
    String name = node instanceof SqlCall call ? call.getOperator().getName() : node.getKind().sql;
    String first = name.replaceAll(" .*", "");
    return new UnsupportedException(
        "the statement %s is not supported in a script".formatted(name),
        REMEDIES.getOrDefault(name, REMEDIES.get(first)),
        begin);
  }
}
