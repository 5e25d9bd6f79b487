package io.sedge.engine.column;

/** What a row of an updating result does to the result, as Flink's RowKind. */
public enum ChangeKind {
  INSERT("+I"),
  UPDATE_BEFORE("-U"),
  UPDATE_AFTER("+U"),
  DELETE("-D");

  private final String symbol;

  ChangeKind(String symbol) {
    this.symbol = symbol;
  }

  /** Flink's short form: {@code +I}, {@code -U}, {@code +U}, {@code -D}. */
  public String symbol() {
    return symbol;
  }
}
