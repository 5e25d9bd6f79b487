package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.Expression.Place;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's expressions as the engine's. Puts casts so that both sides of a comparison or an
 * arithmetic operation are of one kind, as Flink's generated code widens them.
 */
final class ExpressionLowering {
  /** Functions whose arguments all have the type of the result. */
  private static final Set<String> OF_ONE_TYPE =
      Set.of("COALESCE", "IFNULL", "GREATEST", "LEAST", "ARRAY");

  /** Functions whose second argument has the type of the first one's elements. */
  private static final Set<String> WITH_ELEMENT =
      Set.of("ARRAY_APPEND", "ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_CONTAINS", "ARRAY_POSITION");

  /** Calcite's names where the engine has others. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "%", "MOD",
          "CHARACTER_LENGTH", "CHAR_LENGTH",
          "CEILING", "CEIL",
          "SUBSTR", "SUBSTRING",
          "TRANSLATE3", "TRANSLATE",
          "VARIANCE", "VAR_SAMP",
          "$SUM0", "SUM",
          "STDDEV", "STDDEV_SAMP");

  private final RexBuilder builder;
  private final FunctionCheck functions;
  private final Places places;
  private final Map<RexOver, Expression> overs;

  /** Where what is being lowered was written; calls that stand nowhere else get it. */
  private @Nullable Place place;

  ExpressionLowering(RexBuilder builder, FunctionCheck functions, Places places) {
    this(builder, functions, places, Map.of());
  }

  private ExpressionLowering(
      RexBuilder builder, FunctionCheck functions, Places places, Map<RexOver, Expression> overs) {
    this.builder = builder;
    this.functions = functions;
    this.places = places;
    this.overs = overs;
  }

  /** One that knows the columns in which the results of OVERs stand. */
  ExpressionLowering withOvers(Map<RexOver, Expression> results) {
    return new ExpressionLowering(builder, functions, places, results);
  }

  static String engineName(String calciteName) {
    String upper = calciteName.toUpperCase(Locale.ROOT);
    return RENAMED.getOrDefault(upper, upper);
  }

  /** The same of one that was rewritten, so that only its clause's place is known. */
  Expression lower(RexNode node, @Nullable SqlParserPos clause) {
    place = clause == null ? null : Places.of(clause);
    try {
      return lower(node);
    } finally {
      place = null;
    }
  }

  /** An expression over the columns of one input. */
  Expression lower(RexNode node) {
    Place outer = place;
    Place own = places.of(node);
    place = own == null ? outer : own;
    try {
      return lowerHere(node);
    } catch (UnsupportedException e) {
      throw e.at(Places.position(place));
    } finally {
      place = outer;
    }
  }

  /** Where an expression was written; null if that is not known. */
  @Nullable SqlParserPos position(RexNode node) {
    return Places.position(places.of(node));
  }

  private Expression lowerHere(RexNode node) {
    return switch (node) {
      case RexInputRef input -> new Expression.Input(input.getIndex(), Types.of(input.getType()));
      case RexLiteral literal -> Literals.of(literal);
      case RexOver over -> lowerOver(over);
      case RexSubQuery query -> throw subQuery(query);
      case RexFieldAccess field ->
          checked(
              "FIELD",
              List.of(
                  lower(field.getReferenceExpr()),
                  new Expression.Literal(field.getField().getIndex(), Type.INT.notNull())),
              Types.of(field.getType()));
      case RexCall call -> lowerCall(call);
      default ->
          throw new UnsupportedException(
              "the expression %s is not supported".formatted(node), null);
    };
  }

  private Expression lowerOver(RexOver over) {
    Expression result = overs.get(over);
    if (result == null) {
      throw new UnsupportedException(
          "%s … OVER cannot stand here".formatted(over.getAggOperator().getName()),
          "OVER in the select list of a query of its own");
    }
    return result;
  }

  private static UnsupportedException subQuery(RexSubQuery query) {
    return new UnsupportedException(
        "a subquery in an expression%s is not supported"
            .formatted(
                query.getKind() == SqlKind.SCALAR_QUERY ? "" : " (" + query.getKind().sql + ")"),
        "a JOIN: an interval join, or FOR SYSTEM_TIME AS OF for a small bounded table");
  }

  private Expression lowerCall(RexCall call) {
    return switch (call.getKind()) {
      case SEARCH -> lower(RexUtil.expandSearch(builder, null, call));
      case CAST -> cast(lower(call.getOperands().getFirst()), Types.of(call.getType()));
      case SAFE_CAST -> checked("TRY_CAST", arguments(call), Types.of(call.getType()));
      case CASE -> lowerCase(call);
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM,
          NULLIF ->
          named(call, Coercions.comparable(arguments(call), this::cast));
      case PLUS, MINUS, TIMES, DIVIDE -> arithmetic(call);
      case MOD -> modulo(call);
      default -> lowerFunction(call);
    };
  }

  private Expression checked(String function, List<Expression> arguments, Type type) {
    return functions.checked(new Expression.Call(function, arguments, type, place));
  }

  private Expression lowerFunction(RexCall call) {
    String name = engineName(call.getOperator().getName());
    Type result = Types.of(call.getType());
    List<Expression> arguments = arguments(call);
    if (name.equals("ARRAY")) {
      arguments = castAll(arguments, 0, result.children().getFirst());
    } else if (name.equals("ITEM")) {
      checkIndex(arguments.get(1));
    } else if (WITH_ELEMENT.contains(name)) {
      arguments = castAll(arguments, 1, arguments.getFirst().type().children().getFirst());
    } else if (OF_ONE_TYPE.contains(name)) {
      arguments = castAll(arguments, 0, result);
    } else if (name.equals("IF")) {
      arguments = castAll(arguments, 1, result);
    }
    return checked(name, arguments, result);
  }

  /** As in Flink, which gives NULL where such an index is no constant. */
  private static void checkIndex(Expression index) {
    if (index instanceof Expression.Literal(Number constant, Type _) && constant.longValue() < 1) {
      throw new UnsupportedException(
          "the first element of an array is [1], and there is no [%s]".formatted(constant), null);
    }
  }

  /**
   * The columns of a model's output, each a field of one call.
   *
   * @param features the columns of {@code input} that the model is given
   */
  List<Expression> predict(
      DeclaredModel model, List<Integer> features, Schema input, SqlParserPos position) {
    place = Places.of(position);
    try {
      List<Expression> arguments = new ArrayList<>();
      for (int i = 0; i < features.size(); i++) {
        int column = features.get(i);
        arguments.add(
            cast(new Expression.Input(column, input.type(column)), model.input().type(i)));
      }
      Expression scores = checked(model.functionName(), arguments, model.scoreType());
      List<Expression> fields = new ArrayList<>();
      for (int i = 0; i < model.output().size(); i++) {
        Expression index = new Expression.Literal(i, Type.INT.notNull());
        fields.add(checked("FIELD", List.of(scores, index), model.output().type(i)));
      }
      return fields;
    } finally {
      place = null;
    }
  }

  private List<Expression> arguments(RexCall call) {
    return call.getOperands().stream().map(this::lower).toList();
  }

  private List<Expression> castAll(List<Expression> arguments, int from, Type type) {
    List<Expression> cast = new ArrayList<>(arguments.subList(0, from));
    for (Expression argument : arguments.subList(from, arguments.size())) {
      cast.add(cast(argument, type.withNullable(argument.type().nullable())));
    }
    return cast;
  }

  private Expression named(RexCall call, List<Expression> arguments) {
    return checked(engineName(call.getOperator().getName()), arguments, Types.of(call.getType()));
  }

  private Expression lowerCase(RexCall call) {
    Type type = Types.of(call.getType());
    RexOver sum = OverCollector.guardedSum(call);
    if (sum != null) {
      return cast(lowerOver(sum), type);
    }
    List<Expression> arguments = new ArrayList<>();
    List<RexNode> operands = call.getOperands();
    for (int i = 0; i < operands.size(); i++) {
      boolean condition = i % 2 == 0 && i < operands.size() - 1;
      Expression argument = lower(operands.get(i));
      arguments.add(
          condition ? argument : cast(argument, type.withNullable(argument.type().nullable())));
    }
    return checked("CASE", arguments, type);
  }

  private Expression arithmetic(RexCall call) {
    Type result = Types.of(call.getType());
    List<Expression> arguments = arguments(call);
    if (!result.kind().isNumeric()) {
      return named(call, arguments);
    }
    List<Expression> cast = new ArrayList<>();
    for (Expression argument : arguments) {
      cast.add(
          argument.type().kind().isNumeric()
              ? cast(argument, Coercions.operand(argument.type(), result))
              : argument);
    }
    return named(call, cast);
  }

  /** Flink computes the remainder in the wider type of its operands, then casts it. */
  private Expression modulo(RexCall call) {
    Type result = Types.of(call.getType());
    List<Expression> arguments = Coercions.comparable(arguments(call), this::cast);
    Type type = result;
    if (result.kind() != Kind.DECIMAL) {
      type = arguments.getFirst().type().withNullable(result.nullable());
    }
    return cast(checked("MOD", arguments, type), result);
  }

  /** The expression in another type; itself if it is of that type, nullability aside. */
  Expression cast(Expression expression, Type type) {
    if (Types.sameIgnoringNulls(expression.type(), type)) {
      return expression;
    }
    Type target = type.withNullable(type.nullable() || expression.type().nullable());
    if (expression instanceof Expression.Literal literal && literal.value() == null) {
      return new Expression.Literal(null, target.withNullable(true));
    }
    if (expression instanceof Expression.Literal literal
        && literal.value() instanceof String text
        && target.kind() == Kind.VARCHAR
        && text.length() <= target.precision()) {
      return new Expression.Literal(text, target);
    }
    return checked("CAST", List.of(expression), target);
  }
}
