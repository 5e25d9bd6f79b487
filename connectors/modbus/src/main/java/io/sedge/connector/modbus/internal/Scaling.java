package io.sedge.connector.modbus.internal;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * What a number in a register means: number * scale + offset. Worked out as (number * multiplier +
 * addend) / divisor, all of them whole, so that 3 tenths are 0.3 and not 0.30000000000000004.
 */
final class Scaling {
  static final Scaling NONE = new Scaling(BigDecimal.ONE, BigDecimal.ZERO);

  private final BigDecimal scale;
  private final BigDecimal offset;
  private final double multiplier;
  private final double addend;
  private final double divisor;

  /**
   * @param scale not zero
   */
  Scaling(BigDecimal scale, BigDecimal offset) {
    this.scale = scale;
    this.offset = offset;
    int digits = Math.max(0, Math.max(scale.scale(), offset.scale()));
    this.multiplier = scale.movePointRight(digits).doubleValue();
    this.addend = offset.movePointRight(digits).doubleValue();
    this.divisor = BigDecimal.ONE.movePointRight(digits).doubleValue();
  }

  /** Whether all that it is worked out with are numbers of a DOUBLE. */
  boolean isFinite() {
    return Double.isFinite(multiplier) && Double.isFinite(addend) && Double.isFinite(divisor);
  }

  boolean isNone() {
    return multiplier == 1 && addend == 0 && divisor == 1;
  }

  double apply(double number) {
    return (number * multiplier + addend) / divisor;
  }

  BigDecimal apply(BigDecimal number) {
    return number.multiply(scale).add(offset);
  }

  /** The number whose meaning this is. */
  double invert(double value) {
    return (value * divisor - addend) / multiplier;
  }

  /** The whole number whose meaning is nearest to this. */
  BigDecimal invert(BigDecimal value) {
    return value.subtract(offset).divide(scale, 0, RoundingMode.HALF_UP);
  }
}
