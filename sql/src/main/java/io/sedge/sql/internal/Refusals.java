package io.sedge.sql.internal;

import static java.util.Map.entry;

import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Statements of Flink that a script may not have here, and what to do instead. */
final class Refusals {
  private static final String MODELS =
      "sedge model list and sedge model show NAME, of models that the site trains; sedge explain"
          + " shows what a script scores by";
  private static final Map<String, String> REMEDIES =
      Map.ofEntries(
          entry("SHOW", "sedge explain, which shows what a script reads, computes and writes"),
          entry("SHOW MODELS", MODELS),
          entry("SHOW CREATE MODEL", MODELS),
          entry("DESCRIBE", "sedge explain, which shows the columns of tables"),
          entry("DESCRIBE MODEL", MODELS),
          entry("EXPLAIN", "sedge explain FILE"),
          entry("USE", "nothing: a script has one catalog and one database"),
          entry("ALTER", "the change in CREATE TABLE"),
          entry("ADD", "CREATE FUNCTION … USING JAR 'file.jar'"),
          entry("DELETE", "a filter in the query that writes the table"),
          entry("UPDATE", "a query that writes the table"));

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
