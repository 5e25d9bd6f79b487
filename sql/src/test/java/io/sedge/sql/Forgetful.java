package io.sedge.sql;

import java.util.ArrayList;
import java.util.List;

/** An aggregate whose accumulator cannot be kept as state. */
public class Forgetful {
  /** What is kept of a group. */
  public static class All {
    public List<String> values = new ArrayList<>();
  }

  public All createAccumulator() {
    return new All();
  }

  public void accumulate(All all, String value) {
    all.values.add(value);
  }

  public Integer getValue(All all) {
    return all.values.size();
  }

  public void merge(All all, Iterable<All> others) {
    others.forEach(other -> all.values.addAll(other.values));
  }
}
