package io.sedge.flink;

import org.jspecify.annotations.Nullable;

/** A function of a user's own, for {@code statements.sql}. */
public final class Halved {
  public @Nullable Double eval(@Nullable Double value) {
    return value == null ? null : value / 2;
  }
}
