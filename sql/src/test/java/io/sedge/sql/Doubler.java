package io.sedge.sql;

import org.jspecify.annotations.Nullable;

/** A user's scalar function, as one would write it. */
public class Doubler {
  public int eval(int x) {
    return x * 2;
  }

  public @Nullable String eval(@Nullable String x) {
    return x == null ? "nothing" : x + x;
  }
}
