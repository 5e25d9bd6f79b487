package io.sedge.sql.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the parser takes and Calcite would rewrite, leave out or misunderstand: a query that
 * has it would be answered otherwise than by Flink, or refused in words that help nobody.
 */
final class UnsupportedSyntax extends SqlBasicVisitor<@Nullable Void> {
  private static final Pattern ONE_FIELD = Pattern.compile("(\\d+)(\\.\\d+)?");

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
      case JSON_OBJECTAGG, JSON_ARRAYAGG -> throw refused(call.getKind().toString(), null, call);
      default -> {
        if (call.getOperator().getName().equals("JSON_QUERY")) {
          throw refused("JSON_QUERY", "JSON_VALUE, which takes a value out of a text", call);
        }
        yield super.visit(call);
      }
    };
  }

  @Override
  public @Nullable Void visit(SqlDataTypeSpec type) {
    DeclaredTypes.check(type.getTypeNameSpec());
    return null;
  }

  /** The first field of an interval takes two digits where no more are asked for. */
  @Override
  public @Nullable Void visit(SqlLiteral literal) {
    if (literal instanceof SqlIntervalLiteral) {
      SqlIntervalLiteral.IntervalValue interval =
          literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
      SqlIntervalQualifier unit = interval.getIntervalQualifier();
      Matcher field = ONE_FIELD.matcher(interval.getIntervalLiteral());
      int digits = unit.getStartPrecision(TypeRules.INSTANCE);
      if (field.matches() && field.group(1).length() > digits) {
        throw new UnsupportedException(
            "%s has more than %d digits".formatted(literal, digits),
            "INTERVAL '%s' %s(%d)"
                .formatted(field.group(), unit.getUnit(), field.group(1).length()),
            literal.getParserPosition());
      }
    }
    return null;
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

  private static UnsupportedException refused(String what, @Nullable String remedy, SqlCall call) {
    return new UnsupportedException(what + " is not supported", remedy, call.getParserPosition());
  }
}
