package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression.Place;
import java.util.IdentityHashMap;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Where in the script the calls of Calcite's expressions were written. */
final class Places {
  private final IdentityHashMap<RexNode, Place> places = new IdentityHashMap<>();

  /** Notes where an expression was written, unless that is known. */
  void add(RexNode expression, SqlParserPos position) {
    if (expression instanceof RexCall && position.getLineNum() >= 1) {
      places.putIfAbsent(expression, of(position));
    }
  }

  static Place of(SqlParserPos position) {
    return new Place(position.getLineNum(), position.getColumnNum());
  }

  static @Nullable SqlParserPos position(@Nullable Place place) {
    return place == null ? null : new SqlParserPos(place.line(), place.column());
  }

  @Nullable Place of(RexNode expression) {
    return places.get(expression);
  }
}
