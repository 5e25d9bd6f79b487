package io.sedge.engine.expression.internal;

import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.expression.internal.RowFunctions.Row;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * JSON in strings. What to do ON EMPTY and ON ERROR comes as constants after the path: {@code NULL}
 * or {@code ERROR}, or {@code DEFAULT} and a value, then {@code EMPTY} or {@code ERROR}.
 */
public final class JsonFunctions {
  private JsonFunctions() {}

  public static void register(FunctionTable table) {
    table.add("JSON_VALUE", 2, 9, JsonFunctions::bindValue);
    table.add("JSON_EXISTS", 2, 3, JsonFunctions::bindExists);
    test(table, "VALUE", value -> true);
    test(table, "OBJECT", Map.class::isInstance);
    test(table, "ARRAY", List.class::isInstance);
    test(table, "SCALAR", value -> !(value instanceof Map) && !(value instanceof List));
    RowFunctions.ofString(table, "JSON_QUOTE", JsonQuoting::quote);
    RowFunctions.ofString(table, "JSON_UNQUOTE", JsonQuoting::unquote);
  }

  /** What to give where there is no value. */
  private record Behavior(boolean error, @Nullable Object value) {
    static final Behavior NULL = new Behavior(false, null);

    @Nullable Object result(String reason) {
      if (error) {
        throw new EvaluationException("JSON_VALUE: " + reason);
      }
      return value;
    }
  }

  private record Behaviors(Behavior onEmpty, Behavior onError) {
    /** Null if they are not constants in the order that the class names. */
    static @Nullable Behaviors of(List<Expression> arguments, Type result) {
      Behavior onEmpty = Behavior.NULL;
      Behavior onError = Behavior.NULL;
      int i = 2;
      while (i < arguments.size()) {
        Object word = constant(arguments.get(i));
        boolean isDefault = "DEFAULT".equals(word);
        i += isDefault ? 1 : 0;
        if (i + 1 >= arguments.size()
            || !(arguments.get(i) instanceof Expression.Literal(Object value, Type type))) {
          return null;
        }
        boolean isWord = !isDefault && ("NULL".equals(word) || "ERROR".equals(word));
        Behavior behavior =
            isWord
                ? new Behavior("ERROR".equals(word), null)
                : new Behavior(false, value == null ? null : Values.normalised(value, result));
        Object when = constant(arguments.get(i + 1));
        onEmpty = "EMPTY".equals(when) ? behavior : onEmpty;
        onError = "ERROR".equals(when) ? behavior : onError;
        i += 2;
      }
      return new Behaviors(onEmpty, onError);
    }
  }

  private static @Nullable Object constant(Expression expression) {
    return expression instanceof Expression.Literal literal ? literal.value() : null;
  }

  /** The constant that is the path, or null. */
  private static @Nullable String path(List<Expression> arguments) {
    return arguments.getFirst().type().kind().isString()
            && constant(arguments.get(1)) instanceof String path
        ? path
        : null;
  }

  private static @Nullable ScalarFunction bindValue(List<Expression> arguments, Type result) {
    Behaviors behaviors = Behaviors.of(arguments, result);
    String path = path(arguments);
    if (behaviors == null || path == null) {
      return null;
    }
    JsonPath parsed = JsonPath.parse(path);
    return memoized(json -> value(json, parsed, behaviors, result), result);
  }

  private static ScalarFunction memoized(StringMemo.Body body, Type result) {
    StringMemo memo = new StringMemo(body, result);
    return (columns, rows) -> memo.apply((StringColumn) columns.getFirst(), rows);
  }

  private static @Nullable Object value(
      String json, @Nullable JsonPath path, Behaviors behaviors, Type result) {
    boolean lax = path != null && path.isLax();
    Found found = find(json, path);
    if (found.problem != null) {
      return (lax ? behaviors.onEmpty : behaviors.onError).result(found.problem);
    }
    Object value = found.value;
    boolean nested = value instanceof Map || value instanceof List;
    if (value == null || (nested && lax)) {
      String problem = "the path leads to no value in '%s'".formatted(json);
      return (lax ? behaviors.onEmpty : behaviors.onError).result(problem);
    }
    Object converted = nested ? null : converted(value, result);
    return converted == null
        ? behaviors.onError.result("%s in '%s' is not a %s".formatted(value, json, result))
        : converted;
  }

  /** What a path leads to, or why that cannot be said. */
  private record Found(@Nullable Object value, @Nullable String problem) {}

  private static Found find(String json, @Nullable JsonPath path) {
    if (path == null) {
      return new Found(null, "the path is none, one looks like '$.a.b[0]'");
    }
    try {
      List<@Nullable Object> values = path.find(JsonReader.read(json));
      if (!path.isDefinite()) {
        return new Found(values, null);
      }
      return new Found(values.isEmpty() ? null : values.getFirst(), null);
    } catch (JsonReader.MalformedException malformed) {
      return new Found(null, "'%s' is not JSON: %s".formatted(json, malformed.getMessage()));
    }
  }

  /** The value as the type RETURNING; null if it is not of that type. */
  private static @Nullable Object converted(Object value, Type result) {
    return switch (result.kind()) {
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case INT, BIGINT ->
          value instanceof Integer || value instanceof Long
              ? Values.normalised(value, result)
              : null;
      case DOUBLE -> value instanceof Number number ? (Object) number.doubleValue() : null;
      default -> value.toString();
    };
  }

  private static @Nullable ScalarFunction bindExists(List<Expression> arguments, Type result) {
    String path = path(arguments);
    Object onError = arguments.size() > 2 ? constant(arguments.get(2)) : "FALSE";
    if (path == null || !(onError instanceof String word)) {
      return null;
    }
    JsonPath parsed = JsonPath.parse(path);
    return memoized(json -> exists(json, parsed, word), result);
  }

  private static @Nullable Object exists(String json, @Nullable JsonPath path, String onError) {
    Found found = find(json, path);
    boolean lax = path != null && path.isLax();
    if (lax || (found.problem == null && found.value != null)) {
      return found.value != null;
    }
    return switch (onError) {
      case "TRUE" -> true;
      case "UNKNOWN" -> null;
      case "ERROR" ->
          throw new EvaluationException("JSON_EXISTS: no value in '%s'".formatted(json));
      default -> false;
    };
  }

  private static void test(FunctionTable table, String what, Predicate<@Nullable Object> test) {
    RowFunctions.lenient(table, "IS JSON " + what, "s", row -> is(row, test));
    RowFunctions.lenient(table, "IS NOT JSON " + what, "s", row -> !is(row, test));
  }

  /** NULL is no JSON, as in Flink. */
  private static boolean is(Row row, Predicate<@Nullable Object> test) {
    if (row.isNull(0)) {
      return false;
    }
    try {
      return test.test(JsonReader.read(row.text(0)));
    } catch (JsonReader.MalformedException malformed) {
      return false;
    }
  }
}
