package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlExplicitModelCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Puts the function of its model in the place of each ML_PREDICT, before Calcite sees a query: it
 * knows no models. Arguments may stand by position or by name, as in Flink.
 */
final class PredictCalls extends SqlBasicVisitor<@Nullable Void> {
  private static final List<String> PARAMETERS = List.of("INPUT", "MODEL", "ARGS", "CONFIG");
  private static final int REQUIRED = 3;
  private static final int CONFIG = 3;

  /** How Flink calls a model that is far away (MLPredictRuntimeConfigOptions). */
  private static final Set<String> OF_FLINK =
      new TreeSet<>(Set.of("async", "output-mode", "max-concurrent-operations", "timeout"));

  private final ModelCatalog models;

  private PredictCalls(ModelCatalog models) {
    this.models = models;
  }

  /**
   * Changes a query in place.
   *
   * @throws UnsupportedException if a call names no model, or has other arguments than it may
   */
  static void resolve(SqlNode query, ModelCatalog models) {
    query.accept(new PredictCalls(models));
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.getKind() == SqlKind.COLLECTION_TABLE
        && call.operand(0) instanceof SqlBasicCall function) {
      switch (function.getOperator().getName().toUpperCase(Locale.ROOT)) {
        case PredictFunction.NAME -> call.setOperand(0, resolved(function));
        case "ML_EVALUATE" ->
            throw new UnsupportedException(
                "ML_EVALUATE is not supported",
                "ML_PREDICT, and a window with AVG(ABS(label - prediction))",
                function.getParserPosition());
        default -> {}
      }
    }
    return super.visit(call);
  }

  private SqlCall resolved(SqlBasicCall call) {
    List<@Nullable SqlNode> arguments = arguments(call);
    if (!(arguments.get(1) instanceof SqlExplicitModelCall named)) {
      throw wrong("its second argument is not MODEL and a name", call);
    }
    SqlIdentifier identifier = named.getModelIdentifier();
    String name = TableStatements.simpleName(identifier);
    DeclaredModel model = models.find(name);
    if (model == null) {
      throw new UnsupportedException(
          "%s: there is no model `%s`%s"
              .formatted(PredictFunction.NAME, name, Names.didYouMean(name, models.names())),
          "CREATE MODEL %s before".formatted(name),
          identifier.getParserPosition());
    }
    SqlNode config = arguments.get(CONFIG);
    if (config != null) {
      checkConfig(config);
    }
    models.use(model);
    List<SqlNode> given = new ArrayList<>();
    for (int i : new int[] {0, 2}) {
      SqlNode argument = arguments.get(i);
      if (argument == null) {
        throw wrong("it lacks the argument " + PARAMETERS.get(i), call);
      }
      given.add(argument);
    }
    return new SqlBasicCall(model.function(), given, call.getParserPosition());
  }

  /** By position; null where one is not given. */
  private static List<@Nullable SqlNode> arguments(SqlBasicCall call) {
    List<@Nullable SqlNode> arguments = new ArrayList<>();
    List<SqlNode> operands = call.getOperandList();
    boolean byName =
        operands.stream().anyMatch(operand -> operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT);
    if (!byName) {
      if (operands.size() < REQUIRED || operands.size() > PARAMETERS.size()) {
        throw wrong("it takes 3 or 4 arguments, not %d".formatted(operands.size()), call);
      }
      arguments.addAll(operands);
      while (arguments.size() < PARAMETERS.size()) {
        arguments.add(null);
      }
      return arguments;
    }
    PARAMETERS.forEach(_ -> arguments.add(null));
    for (SqlNode operand : operands) {
      if (operand.getKind() != SqlKind.ARGUMENT_ASSIGNMENT) {
        throw wrong("it has arguments with and without a name", operand);
      }
      SqlCall assignment = (SqlCall) operand;
      String name = ((SqlIdentifier) assignment.operand(1)).getSimple();
      int position = PARAMETERS.indexOf(name.toUpperCase(Locale.ROOT));
      if (position < 0) {
        throw wrong(
            "it has no argument %s; there are %s".formatted(name, String.join(", ", PARAMETERS)),
            operand);
      }
      if (arguments.set(position, assignment.operand(0)) != null) {
        throw wrong("it has the argument %s twice".formatted(name), operand);
      }
    }
    return arguments;
  }

  /** Settings of how Flink calls a model change no score: they are taken, and have no effect. */
  private static void checkConfig(SqlNode config) {
    if (config.getKind() != SqlKind.MAP_VALUE_CONSTRUCTOR) {
      throw wrong("CONFIG is not MAP['key', 'value']", config);
    }
    List<SqlNode> entries = ((SqlCall) config).getOperandList();
    for (int i = 0; i < entries.size(); i += 2) {
      SqlNode key = entries.get(i);
      String text = key instanceof SqlLiteral literal ? String.valueOf(literal.toValue()) : "";
      if (!OF_FLINK.contains(text)) {
        throw new UnsupportedException(
            "%s: CONFIG has no key %s%s"
                .formatted(PredictFunction.NAME, key, Names.didYouMean(text, OF_FLINK)),
            "one of " + String.join(", ", OF_FLINK),
            key.getParserPosition());
      }
    }
  }

  private static UnsupportedException wrong(String why, SqlNode where) {
    return new UnsupportedException(
        "%s: %s".formatted(PredictFunction.NAME, why),
        PredictFunction.SIGNATURE,
        where.getParserPosition());
  }
}
