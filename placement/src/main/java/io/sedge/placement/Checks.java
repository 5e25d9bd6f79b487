package io.sedge.placement;

/** Checks of what callers hand in, with messages that name the field and what is allowed. */
final class Checks {
  private Checks() {}

  static double atLeast(double least, double value, String what) {
    if (!(value >= least) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          what + "=" + value + " is not a finite number of at least " + least);
    }
    return value;
  }

  static long notNegative(long value, String what) {
    if (value < 0) {
      throw new IllegalArgumentException(what + "=" + value + " is not 0 or more");
    }
    return value;
  }

  static String named(String value, String what) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(what + " is blank; give it a name");
    }
    return value;
  }
}
