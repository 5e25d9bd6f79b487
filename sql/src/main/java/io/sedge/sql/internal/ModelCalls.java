package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Suggestions;
import io.sedge.engine.type.Schema;
import io.sedge.learning.Evaluation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlExplicitModelCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Puts a function of its model in the place of each ML_PREDICT and ML_EVALUATE, before Calcite sees
 * a query: it knows no models. Arguments may stand by position or by name, as in Flink.
 */
final class ModelCalls extends SqlBasicVisitor<@Nullable Void> {
  private static final Function PREDICT =
      new Function(
          PredictFunction.NAME,
          PredictFunction.SIGNATURE,
          List.of("INPUT", "MODEL", "ARGS", "CONFIG"));
  private static final Function EVALUATE =
      new Function(
          EvaluateFunction.NAME,
          EvaluateFunction.SIGNATURE,
          List.of("INPUT", "MODEL", "LABEL", "ARGS", "TASK", "CONFIG"));
  private static final Set<String> DESCRIPTORS = Set.of("LABEL", "ARGS");
  private static final int TASK = 4;

  private static final String VERSION = "version";
  private static final String SHADOW = "shadow";

  /**
   * What CONFIG may say: how Flink calls a model that is far away (MLPredictRuntimeConfigOptions),
   * and of our own which version of a model scores.
   */
  private static final Set<String> KEYS =
      new TreeSet<>(
          Set.of("async", "output-mode", "max-concurrent-operations", "timeout", VERSION));

  private final ModelCatalog models;
  private final Operators operators;

  /**
   * A function of Flink's.
   *
   * @param parameters all but the last, CONFIG, must be given
   */
  private record Function(String name, String signature, List<String> parameters) {
    int required() {
      return parameters.size() - 1;
    }

    UnsupportedException wrong(String why, SqlNode where) {
      return new UnsupportedException(
          "%s: %s".formatted(name, why), signature, where.getParserPosition());
    }
  }

  private ModelCalls(ModelCatalog models, Operators operators) {
    this.models = models;
    this.operators = operators;
  }

  /**
   * Changes a query in place.
   *
   * @param operators gets the functions of models that it calls
   * @throws UnsupportedException if a call names no model, or has other arguments than it may
   */
  static void resolve(SqlNode query, ModelCatalog models, Operators operators) {
    query.accept(new ModelCalls(models, operators));
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.getKind() == SqlKind.COLLECTION_TABLE
        && call.operand(0) instanceof SqlBasicCall function) {
      switch (function.getOperator().getName().toUpperCase(Locale.ROOT)) {
        case PredictFunction.NAME -> call.setOperand(0, predict(function));
        case EvaluateFunction.NAME -> call.setOperand(0, evaluate(function));
        default -> requireKnown(function);
      }
    }
    return super.visit(call);
  }

  /** Calcite would look at the tables in its arguments first, as if they were queries of values. */
  private void requireKnown(SqlBasicCall call) {
    String name = call.getOperator().getName();
    if (call.getOperator() instanceof SqlUnresolvedFunction
        && !operators.functionNames().contains(name.toUpperCase(Locale.ROOT))) {
      throw new UnsupportedException(
          MissingFunctions.text(name, operators.functionNames()),
          MissingFunctions.remedy(name).orElse(null),
          call.getParserPosition());
    }
  }

  private SqlCall predict(SqlBasicCall call) {
    List<@Nullable SqlNode> given = given(PREDICT, call);
    List<SqlNode> arguments = required(PREDICT, given, call);
    SqlOperator function = new PredictFunction(model(PREDICT, given, arguments.get(1), call));
    operators.define(function);
    return new SqlBasicCall(
        function, List.of(arguments.getFirst(), arguments.get(2)), call.getParserPosition());
  }

  private SqlCall evaluate(SqlBasicCall call) {
    List<@Nullable SqlNode> given = given(EVALUATE, call);
    List<SqlNode> arguments = required(EVALUATE, given, call);
    DeclaredModel model = model(EVALUATE, given, arguments.get(1), call);
    Evaluation evaluation = task(arguments.get(TASK));
    checkScore(model, evaluation, arguments);
    EvaluateFunction function = new EvaluateFunction(model, evaluation);
    operators.define(function);
    return new SqlBasicCall(
        function,
        List.of(arguments.getFirst(), arguments.get(2), arguments.get(3)),
        call.getParserPosition());
  }

  /**
   * The model that a call scores by.
   *
   * @param given all arguments; the last is CONFIG, or null
   */
  private DeclaredModel model(
      Function function, List<@Nullable SqlNode> given, SqlNode argument, SqlBasicCall call) {
    if (!(argument instanceof SqlExplicitModelCall named)) {
      throw function.wrong("its second argument is not MODEL and a name", call);
    }
    SqlIdentifier identifier = named.getModelIdentifier();
    String name = TableStatements.simpleName(identifier);
    DeclaredModel model = models.find(name);
    if (model == null) {
      throw new UnsupportedException(
          "%s: there is no model `%s`%s"
              .formatted(function.name(), name, Names.didYouMean(name, models.names())),
          "CREATE MODEL %s before".formatted(name),
          identifier.getParserPosition());
    }
    SqlNode config = given.getLast();
    SqlNode shadow = config == null ? null : shadow(function, config);
    DeclaredModel scoring = shadow == null ? model : shadow(function, model, shadow);
    models.use(model);
    return scoring;
  }

  private DeclaredModel shadow(Function function, DeclaredModel model, SqlNode where) {
    try {
      return models
          .shadow(model)
          .orElseThrow(
              () ->
                  new UnsupportedException(
                      "%s: the model %s has no shadow: 'provider' = '%s' has one version"
                          .formatted(function.name(), model.name(), model.provider().name()),
                      "a second model, with another name",
                      where.getParserPosition()));
    } catch (ConnectorException e) {
      throw new UnsupportedException(
          "%s: %s".formatted(function.name(), e.getMessage()), null, where.getParserPosition());
    }
  }

  /** As in Flink, a model is judged that gives one column. */
  private static void checkScore(
      DeclaredModel model, Evaluation evaluation, List<SqlNode> arguments) {
    if (model.output().size() != 1) {
      throw new UnsupportedException(
          "%s: the model %s gives %d columns, and one is compared with the label"
              .formatted(EvaluateFunction.NAME, model.name(), model.output().size()),
          "a model with one column in OUTPUT",
          arguments.get(1).getParserPosition());
    }
    Schema.Field score = model.output().fields().getFirst();
    if (evaluation.compared(score.type()).isEmpty()) {
      throw new UnsupportedException(
          "%s: TASK '%s' compares %s, but `%s` of the model %s is %s"
              .formatted(
                  EvaluateFunction.NAME,
                  evaluation.task(),
                  evaluation == Evaluation.REGRESSION ? "numbers" : "classes",
                  score.name(),
                  model.name(),
                  score.type()),
          Arrays.stream(Evaluation.values())
              .filter(task -> task.compared(score.type()).isPresent())
              .map(task -> "'%s'".formatted(task.task()))
              .findFirst()
              .orElse("a model that gives a number, a STRING or a BOOLEAN"),
          arguments.get(TASK).getParserPosition());
    }
  }

  private static Evaluation task(SqlNode argument) {
    if (!(argument instanceof SqlCharStringLiteral literal)) {
      throw EVALUATE.wrong("TASK is not a constant text", argument);
    }
    String task = literal.getValueAs(String.class);
    return Evaluation.of(task)
        .orElseThrow(
            () ->
                new UnsupportedException(
                    Evaluation.TASKS.contains(task)
                        ? "%s: TASK '%s' is not supported".formatted(EvaluateFunction.NAME, task)
                        : "%s: TASK '%s' is not one of %s%s"
                            .formatted(
                                EvaluateFunction.NAME,
                                task,
                                String.join(", ", Evaluation.TASKS),
                                Suggestions.closest(task, Evaluation.TASKS)
                                    .map("; did you mean '%s'?"::formatted)
                                    .orElse("")),
                    "'regression' or 'classification'",
                    argument.getParserPosition()));
  }

  /** Those of the given arguments that must be there, by position: all but CONFIG. */
  private static List<SqlNode> required(
      Function function, List<@Nullable SqlNode> given, SqlBasicCall call) {
    List<SqlNode> arguments = new ArrayList<>();
    for (int i = 0; i < function.required(); i++) {
      SqlNode argument = given.get(i);
      if (argument == null) {
        throw function.wrong("it lacks the argument " + function.parameters().get(i), call);
      }
      if (DESCRIPTORS.contains(function.parameters().get(i))
          && !(argument instanceof SqlCall columns
              && columns.getOperator().getName().equalsIgnoreCase("DESCRIPTOR"))) {
        throw function.wrong(function.parameters().get(i) + " is not DESCRIPTOR(…)", argument);
      }
      arguments.add(argument);
    }
    return arguments;
  }

  /** By position; null where one is not given. */
  private static List<@Nullable SqlNode> given(Function function, SqlBasicCall call) {
    List<String> parameters = function.parameters();
    List<@Nullable SqlNode> arguments = new ArrayList<>();
    List<SqlNode> operands = call.getOperandList();
    boolean byName =
        operands.stream().anyMatch(operand -> operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT);
    if (!byName) {
      if (operands.size() < function.required() || operands.size() > parameters.size()) {
        throw function.wrong(
            "it takes %d or %d arguments, not %d"
                .formatted(function.required(), parameters.size(), operands.size()),
            call);
      }
      arguments.addAll(operands);
      while (arguments.size() < parameters.size()) {
        arguments.add(null);
      }
      return arguments;
    }
    parameters.forEach(_ -> arguments.add(null));
    for (SqlNode operand : operands) {
      if (operand.getKind() != SqlKind.ARGUMENT_ASSIGNMENT) {
        throw function.wrong("it has arguments with and without a name", operand);
      }
      SqlCall assignment = (SqlCall) operand;
      String name = ((SqlIdentifier) assignment.operand(1)).getSimple();
      int position = parameters.indexOf(name.toUpperCase(Locale.ROOT));
      if (position < 0) {
        throw function.wrong(
            "it has no argument %s; there are %s".formatted(name, String.join(", ", parameters)),
            operand);
      }
      if (arguments.set(position, assignment.operand(0)) != null) {
        throw function.wrong("it has the argument %s twice".formatted(name), operand);
      }
    }
    return arguments;
  }

  /**
   * Where CONFIG says that the shadow scores; null if it does not. Settings of how Flink calls a
   * model change no score: they are taken, and have no effect.
   */
  private static @Nullable SqlNode shadow(Function function, SqlNode config) {
    if (config.getKind() != SqlKind.MAP_VALUE_CONSTRUCTOR
        || ((SqlCall) config).operandCount() % 2 != 0) {
      throw function.wrong("CONFIG is not MAP['key', 'value']", config);
    }
    List<SqlNode> entries = ((SqlCall) config).getOperandList();
    SqlNode shadow = null;
    for (int i = 0; i < entries.size(); i += 2) {
      SqlNode key = entries.get(i);
      String text = text(key);
      if (!KEYS.contains(text)) {
        throw new UnsupportedException(
            "%s: CONFIG has no key %s%s"
                .formatted(function.name(), key, Names.didYouMean(text, KEYS)),
            "one of " + String.join(", ", KEYS),
            key.getParserPosition());
      }
      if (text.equals(VERSION)) {
        SqlNode value = entries.get(i + 1);
        if (!text(value).equals(SHADOW)) {
          throw new UnsupportedException(
              "%s: '%s' = %s in CONFIG is not '%s'"
                  .formatted(function.name(), VERSION, value, SHADOW),
              "MAP['%s', '%s'], or no such key for the live version".formatted(VERSION, SHADOW),
              value.getParserPosition());
        }
        shadow = value;
      }
    }
    return shadow;
  }

  /** A constant; empty for any other expression. */
  private static String text(SqlNode node) {
    return node instanceof SqlLiteral literal ? String.valueOf(literal.toValue()) : "";
  }
}
