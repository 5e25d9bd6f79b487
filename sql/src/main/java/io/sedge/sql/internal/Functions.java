package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.learning.Detectors;
import io.sedge.learning.Evaluation;
import io.sedge.sql.internal.sketch.Sketches;
import io.sedge.sql.internal.user.UserAggregate;
import io.sedge.sql.internal.user.UserFunction;
import io.sedge.sql.internal.user.UserFunctionException;
import io.sedge.sql.internal.user.UserFunctions;
import io.sedge.sql.internal.user.UserScalar;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.ddl.SqlCreateFunction;
import org.apache.flink.sql.parser.ddl.resource.SqlResource;

/** The functions that a script may call: the engine's, the sketches, the user's own, its models. */
final class Functions {
  private final Surroundings surroundings;
  private final Settings settings;
  private final Operators operators;
  private final ModelCatalog models;
  private final Map<String, UserFunction> users = new HashMap<>();
  private final Map<String, String> sources = new HashMap<>();
  private final Map<ZoneId, FunctionRegistry> builtin = new HashMap<>();

  Functions(
      Surroundings surroundings, Settings settings, Operators operators, ModelCatalog models) {
    this.surroundings = surroundings;
    this.settings = settings;
    this.operators = operators;
    this.models = models;
  }

  /** The scalar functions in a time zone. */
  FunctionRegistry scalars(ZoneId zone) {
    Map<String, UserFunction> known = Map.copyOf(users);
    FunctionRegistry own =
        (name, arguments, result) ->
            known.get(name) instanceof UserScalar scalar
                ? Optional.of(
                    scalar.bind(arguments.stream().map(Expression::type).toList(), result))
                : Optional.empty();
    return own.or(models.functions()).or(builtin(zone));
  }

  private FunctionRegistry builtin(ZoneId zone) {
    return builtin.computeIfAbsent(
        zone, wanted -> BuiltinFunctions.registry(wanted, surroundings.clock()));
  }

  AggregateRegistry aggregates() {
    Map<String, UserFunction> known = Map.copyOf(users);
    AggregateRegistry own =
        call ->
            known.get(call.function()) instanceof UserAggregate aggregate
                ? Optional.of(aggregate.bind(call.argumentTypes()))
                : Optional.empty();
    return own.or(models.drifts())
        .or(Sketches.registry())
        .or(Detectors.registry())
        .or(Evaluation.registry())
        .or(BuiltinAggregates.registry());
  }

  /** What each of the user's own is: its class and jars, or its model. */
  Map<String, String> sources() {
    Map<String, String> all = new HashMap<>(sources);
    all.putAll(models.identities());
    return all;
  }

  /** A check with the functions in the session's zone as it is now. */
  FunctionCheck check() {
    Set<String> own = new HashSet<>(users.keySet());
    own.addAll(models.functionNames());
    return new FunctionCheck(scalars(settings.zone()), own);
  }

  /** CREATE FUNCTION. */
  void create(SqlCreateFunction create, SqlParserPos begin) {
    String name = TableStatements.simpleName(create.getName());
    String language = create.getFunctionLanguage();
    if (language != null && !language.equalsIgnoreCase("JAVA")) {
      throw new UnsupportedException(
          "CREATE FUNCTION %s: LANGUAGE %s is not supported".formatted(name, language),
          "LANGUAGE JAVA",
          begin);
    }
    if (Detectors.names().contains(key(name))) {
      throw new UnsupportedException(
          "CREATE FUNCTION %s: a detector has this name".formatted(name), "another name", begin);
    }
    if (users.containsKey(key(name)) && create.isIfNotExists()) {
      return;
    }
    SqlCharStringLiteral className = create.getFunctionClassName();
    String type = String.valueOf(className.getValueAs(String.class));
    Map<String, Path> jars = jars(create);
    try {
      UserFunction function = UserFunctions.load(name, type, jars);
      users.put(key(name), function);
      sources.put(key(name), "class %s of %s".formatted(type, UserFunctions.identity(jars)));
      operators.define(UserOperators.of(function));
    } catch (UserFunctionException e) {
      throw new UnsupportedException(
          String.valueOf(e.getMessage()), null, className.getParserPosition());
    }
  }

  /** Where its jars are, by their paths in the script. */
  private Map<String, Path> jars(SqlCreateFunction create) {
    Map<String, Path> jars = new LinkedHashMap<>();
    for (SqlNode node : create.getResourceInfos()) {
      SqlLiteral literal = ((SqlResource) node).getResourcePath();
      String path = String.valueOf(literal.getValueAs(String.class));
      try {
        jars.put(path, surroundings.scriptFiles().locate("the jar", path));
      } catch (ConnectorException e) {
        throw new UnsupportedException(
            String.valueOf(e.getMessage()), null, literal.getParserPosition());
      }
    }
    return jars;
  }

  private static String key(String name) {
    return name.toUpperCase(Locale.ROOT);
  }
}
