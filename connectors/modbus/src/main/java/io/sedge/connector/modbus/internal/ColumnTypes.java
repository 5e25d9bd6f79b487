package io.sedge.connector.modbus.internal;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.Optional;

/** Which columns can hold what is in which registers, without loss. */
final class ColumnTypes {
  private ColumnTypes() {}

  /** What speaks against a column, as the end of a sentence; empty if nothing does. */
  static Optional<String> problem(Type type, Register register, Scaling scaling) {
    RegisterType kept = register.type();
    Kind kind = type.kind();
    if (kept == RegisterType.BOOL || kept == RegisterType.STRING) {
      if (!scaling.isNone()) {
        return Optional.of("only numbers have a scale and an offset");
      }
      boolean fits = kept == RegisterType.BOOL ? kind == Kind.BOOLEAN : holdsText(type, register);
      return fits
          ? Optional.empty()
          : Optional.of(
              kept == RegisterType.BOOL
                  ? "a bit needs a BOOLEAN"
                  : "text of %d bytes needs a STRING".formatted(register.length()));
    }
    if (!scaling.isNone() || !kept.isInteger()) {
      return isFraction(kind) && !(kept == RegisterType.FLOAT64 && kind == Kind.FLOAT)
          ? Optional.empty()
          : Optional.of(
              "%s needs %s"
                  .formatted(
                      scaling.isNone() ? kept : "a number with scale or offset",
                      kept == RegisterType.FLOAT64
                          ? "a DOUBLE or DECIMAL"
                          : "a DOUBLE, FLOAT or DECIMAL"));
    }
    return integerProblem(type, kept);
  }

  private static boolean holdsText(Type type, Register register) {
    return type.kind() == Kind.VARCHAR && type.precision() >= register.length();
  }

  private static boolean isFraction(Kind kind) {
    return kind == Kind.DOUBLE || kind == Kind.FLOAT || kind == Kind.DECIMAL;
  }

  private static Optional<String> integerProblem(Type type, RegisterType kept) {
    int bits = 16 * kept.registers() - (kept.isSigned() ? 1 : 0);
    int digits = (int) Math.ceil(bits * Math.log10(2));
    boolean fits =
        switch (type.kind()) {
          case SMALLINT -> bits <= 15;
          case INT -> bits <= 31;
          case BIGINT -> bits <= 63;
          case FLOAT -> bits <= 24;
          case DOUBLE -> bits <= 53;
          case DECIMAL -> type.precision() - type.scale() >= digits;
          default -> false;
        };
    String least = bits <= 15 ? "a SMALLINT" : bits <= 31 ? "an INT" : "a BIGINT";
    return fits
        ? Optional.empty()
        : Optional.of(
            bits <= 63
                ? "%s needs %s or what holds more".formatted(kept, least)
                : "%s needs a DECIMAL(20, 0)".formatted(kept));
  }
}
