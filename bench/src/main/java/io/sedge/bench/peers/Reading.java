package io.sedge.bench.peers;

import java.io.Serializable;

/** A reading as the row engines like it: a bean with public fields, getters and setters. */
public final class Reading implements Serializable {
  private static final long serialVersionUID = 1;

  public String id = "";
  public long ts;
  public double value;

  public Reading() {}

  public Reading(String id, long ts, double value) {
    this.id = id;
    this.ts = ts;
    this.value = value;
  }

  public String getId() {
    return id;
  }

  public long getTs() {
    return ts;
  }

  public double getValue() {
    return value;
  }
}
