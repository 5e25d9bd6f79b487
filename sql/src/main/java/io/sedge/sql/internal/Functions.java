package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.FunctionRegistry;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlCreateFunction;

/** The functions that a script may call: the engine's, the sketches, the user's own. */
final class Functions {
  private final Surroundings surroundings;
  private final Settings settings;

  Functions(Surroundings surroundings, Settings settings) {
    this.surroundings = surroundings;
    this.settings = settings;
  }

  /** The scalar functions, in the session's zone as it is now. */
  FunctionRegistry scalars() {
    return BuiltinFunctions.registry(settings.zone(), surroundings.clock());
  }

  AggregateRegistry aggregates() {
    return BuiltinAggregates.registry();
  }

  FunctionCheck check() {
    return new FunctionCheck(scalars());
  }

  /** CREATE FUNCTION. */
  void create(SqlCreateFunction create, SqlParserPos begin) {
    throw new UnsupportedException("CREATE FUNCTION is not supported", null, begin);
  }
}
