package io.sedge.engine.expression.internal;

import io.sedge.engine.type.Type;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Casts between times, and between times and strings. */
final class TimeCasts {
  private TimeCasts() {}

  static CastFunctions.@Nullable Conversion conversion(Type from, Type to, ZoneId zone) {
    return null;
  }

  static StringMemo.@Nullable Body parser(Type to, ZoneId zone) {
    return null;
  }

  static CastFunctions.@Nullable TextOf textOf(Type from, ZoneId zone) {
    return null;
  }
}
