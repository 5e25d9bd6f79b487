package io.sedge.sql.internal;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the parser takes and Calcite would rewrite, leave out or misunderstand: a query that
 * has it would be answered otherwise than by Flink, or refused in words that help nobody.
 */
final class UnsupportedSyntax extends SqlBasicVisitor<@Nullable Void> {
  /**
   * Looks through a query.
   *
   * @throws UnsupportedException at the first place that is refused
   */
  static void refuse(SqlNode query) {
    query.accept(new UnsupportedSyntax());
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    return switch (call.getKind()) {
      case HINT -> throw hint(call);
      case MATCH_RECOGNIZE ->
          throw refused(
              "MATCH_RECOGNIZE", "LAG(…) OVER (PARTITION BY … ORDER BY …) and a condition", call);
      case PIVOT, UNPIVOT ->
          throw refused(
              call.getKind().toString(),
              "an aggregate a column, such as SUM(v) FILTER (WHERE id = 'a')",
              call);
      case TABLESAMPLE -> throw refused("TABLESAMPLE", "WHERE RAND() < 0.1", call);
      case MAP_VALUE_CONSTRUCTOR, MULTISET_VALUE_CONSTRUCTOR ->
          throw refused(
              "a %s value".formatted(call.getOperator().getName()), "ARRAY[…] or ROW(…)", call);
      default -> super.visit(call);
    };
  }

  private static UnsupportedException hint(SqlCall call) {
    String name = ((SqlHint) call).getName();
    return refused(
        "the hint " + name,
        name.equalsIgnoreCase("OPTIONS")
            ? "the options in CREATE TABLE, or in a second one, CREATE TABLE … LIKE"
            : "the query without it",
        call);
  }

  private static UnsupportedException refused(String what, String remedy, SqlCall call) {
    return new UnsupportedException(what + " is not supported", remedy, call.getParserPosition());
  }
}
