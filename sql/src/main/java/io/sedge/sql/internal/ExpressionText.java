package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Expressions as one would write them, with the names of columns. */
final class ExpressionText {
  private static final Set<String> INFIX =
      Set.of(
          "+",
          "-",
          "*",
          "/",
          "=",
          "<>",
          "<",
          "<=",
          ">",
          ">=",
          "AND",
          "OR",
          "LIKE",
          "SIMILAR TO",
          "||",
          "IS DISTINCT FROM",
          "IS NOT DISTINCT FROM");

  private ExpressionText() {}

  static String of(Expression expression, Schema schema) {
    return switch (expression) {
      case Expression.Input input -> schema.name(input.column());
      case Expression.Literal literal -> literal(literal);
      case Expression.Call call -> call(call, schema);
    };
  }

  private static String call(Expression.Call call, Schema schema) {
    List<String> arguments =
        call.arguments().stream().map(argument -> of(argument, schema)).toList();
    String function = call.function();
    if (INFIX.contains(function) && arguments.size() > 1) {
      return call.arguments().stream()
          .map(argument -> nested(argument, schema))
          .collect(Collectors.joining(" " + function + " "));
    }
    if (function.startsWith("IS ") && arguments.size() == 1) {
      return nested(call.arguments().getFirst(), schema) + " " + function;
    }
    return switch (function) {
      case "CAST", "TRY_CAST" ->
          "%s(%s AS %s)".formatted(function, arguments.getFirst(), call.type().withNullable(true));
      case "NOT" -> "NOT (%s)".formatted(arguments.getFirst());
      case "CASE" -> cases(arguments);
      default -> "%s(%s)".formatted(function, String.join(", ", arguments));
    };
  }

  private static String nested(Expression expression, Schema schema) {
    String text = of(expression, schema);
    boolean infix =
        expression instanceof Expression.Call call
            && INFIX.contains(call.function())
            && call.arguments().size() > 1;
    return infix ? "(%s)".formatted(text) : text;
  }

  private static String cases(List<String> arguments) {
    StringBuilder text = new StringBuilder("CASE");
    for (int i = 0; i + 1 < arguments.size(); i += 2) {
      text.append(" WHEN %s THEN %s".formatted(arguments.get(i), arguments.get(i + 1)));
    }
    return text.append(" ELSE %s END".formatted(arguments.getLast())).toString();
  }

  private static String literal(Expression.Literal literal) {
    Object value = literal.value();
    if (value == null) {
      return "NULL";
    }
    Kind kind = literal.type().kind();
    if (value instanceof String string) {
      return "'" + string.replace("'", "''") + "'";
    }
    if (kind == Kind.INTERVAL_DAY_TIME && value instanceof Long micros) {
      return PlanText.duration(micros);
    }
    if (kind == Kind.INTERVAL_YEAR_MONTH) {
      return value + " months";
    }
    if (kind == Kind.DATE && value instanceof Integer days) {
      return "DATE '%s'".formatted(LocalDate.ofEpochDay(days));
    }
    if (kind == Kind.TIMESTAMP && value instanceof Long micros) {
      LocalDateTime time = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);
      return "TIMESTAMP '%s'".formatted(time.plus(micros, ChronoUnit.MICROS));
    }
    if (kind == Kind.TIMESTAMP_LTZ && value instanceof Long micros) {
      return "TIMESTAMP_LTZ '%s'".formatted(Instant.EPOCH.plus(micros, ChronoUnit.MICROS));
    }
    return String.valueOf(value);
  }
}
