package io.sedge.sql.internal.user;

import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The public fields of an accumulator, which are its state.
 *
 * <p>Format: the fields in the order of their names, each as {@link ValueCodec} writes it.
 */
final class AccumulatorFields {
  /** A field and the type as which it is written. */
  private record State(Field field, Type type) {}

  private final List<State> fields;

  private AccumulatorFields(List<State> fields) {
    this.fields = fields;
  }

  /**
   * Those of a class.
   *
   * @throws UserFunctionException if it has others, or of types that cannot be written
   */
  static AccumulatorFields of(String function, Class<?> type) {
    List<State> states =
        Arrays.stream(type.getFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .sorted(Comparator.comparing(Field::getName))
            .map(field -> state(function, type, field))
            .toList();
    if (states.isEmpty()) {
      throw new UserFunctionException(
          "function %s: its accumulator %s has no public fields, so there is nothing to keep as"
                  .formatted(function, type.getSimpleName())
              + " state");
    }
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isPublic(field.getModifiers()) && !Modifier.isStatic(field.getModifiers())) {
        throw new UserFunctionException(
            "function %s: field `%s` of its accumulator %s is not public, and would be lost"
                .formatted(function, field.getName(), type.getSimpleName()));
      }
    }
    return new AccumulatorFields(states);
  }

  private static State state(String function, Class<?> type, Field field) {
    Type sqlType =
        JavaTypes.sqlType(field.getType())
            .orElseThrow(
                () ->
                    new UserFunctionException(
                        "function %s: field `%s` of its accumulator %s is a %s, which cannot be kept"
                                .formatted(
                                    function,
                                    field.getName(),
                                    type.getSimpleName(),
                                    field.getType().getSimpleName())
                            + " as state; allowed are "
                            + JavaTypes.supported()));
    if (Modifier.isFinal(field.getModifiers())) {
      throw new UserFunctionException(
          "function %s: field `%s` of its accumulator %s is final"
              .formatted(function, field.getName(), type.getSimpleName()));
    }
    return new State(field, sqlType);
  }

  void write(Object accumulator, DataOutput output) throws IOException {
    for (State state : fields) {
      try {
        Object value = state.field.get(accumulator);
        ValueCodec.write(
            state.type,
            value instanceof java.math.BigDecimal ? value : JavaTypes.fromJava(value, state.type),
            output);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(state.field + " cannot be read", e);
      }
    }
  }

  void read(Object accumulator, DataInput input) throws IOException {
    for (State state : fields) {
      try {
        Object value = ValueCodec.read(state.type, input);
        state.field.set(accumulator, JavaTypes.toJava(value, state.type));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(state.field + " cannot be written", e);
      }
    }
  }
}
