package io.sedge.engine.type;

/** The kinds of SQL type, each with the {@link Storage} that a column of it uses. */
public enum Kind {
  BOOLEAN(Storage.BOOLEAN),
  TINYINT(Storage.INT),
  SMALLINT(Storage.INT),
  INT(Storage.INT),
  BIGINT(Storage.LONG),
  FLOAT(Storage.FLOAT),
  DOUBLE(Storage.DOUBLE),
  DECIMAL(Storage.DECIMAL),
  CHAR(Storage.STRING),
  VARCHAR(Storage.STRING),
  /** Days since 1970-01-01. */
  DATE(Storage.INT),
  /** Milliseconds of the day, as in Flink. */
  TIME(Storage.INT),
  /** Microseconds since 1970-01-01T00:00:00 of a clock without a zone. */
  TIMESTAMP(Storage.LONG),
  /** Microseconds since 1970-01-01T00:00:00Z. */
  TIMESTAMP_LTZ(Storage.LONG),
  /** Microseconds. */
  INTERVAL_DAY_TIME(Storage.LONG),
  /** Months. */
  INTERVAL_YEAR_MONTH(Storage.INT),
  ARRAY(Storage.ARRAY),
  ROW(Storage.ROW),
  /** The type of a bare {@code NULL}. */
  NULL(Storage.BOOLEAN);

  /** The physical layout of a column. */
  public enum Storage {
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    DECIMAL,
    STRING,
    ARRAY,
    ROW
  }

  private final Storage storage;

  Kind(Storage storage) {
    this.storage = storage;
  }

  public Storage storage() {
    return storage;
  }

  public boolean isInteger() {
    return this == TINYINT || this == SMALLINT || this == INT || this == BIGINT;
  }

  public boolean isNumeric() {
    return isInteger() || this == FLOAT || this == DOUBLE || this == DECIMAL;
  }

  public boolean isString() {
    return this == CHAR || this == VARCHAR;
  }

  public boolean isTimestamp() {
    return this == TIMESTAMP || this == TIMESTAMP_LTZ;
  }
}
