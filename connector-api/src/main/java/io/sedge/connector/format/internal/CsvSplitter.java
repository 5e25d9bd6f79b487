package io.sedge.connector.format.internal;

import io.sedge.connector.format.RecordSplitter;

/** Finds where the records of a CSV file end: a line end between quotes is part of its value. */
record CsvSplitter(CsvDialect dialect) implements RecordSplitter {

  @Override
  public int end(byte[] bytes, int from, int to) {
    if (dialect.quote() == CsvDialect.NONE || isComment(bytes, from, to)) {
      return LINES.end(bytes, from, to);
    }
    int i = from;
    boolean valueBegins = true;
    while (i < to) {
      byte b = bytes[i];
      if (valueBegins && b == dialect.quote()) {
        i = afterQuoted(bytes, i + 1, to);
        if (i < 0) {
          return -1;
        }
        valueBegins = false;
        continue;
      }
      if (b == '\n') {
        return i + 1;
      }
      if (b == dialect.escape()) {
        i++;
      }
      valueBegins = b == dialect.delimiter() || (valueBegins && b == ' ');
      i++;
    }
    return -1;
  }

  @Override
  public boolean isByLine() {
    return dialect.quote() == CsvDialect.NONE;
  }

  /** The index after the quote that ends a value, or -1. */
  private int afterQuoted(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to) {
      byte b = bytes[i];
      if (b == dialect.escape()) {
        i++;
      } else if (b == dialect.quote()) {
        if (i + 1 < to && bytes[i + 1] == dialect.quote()) {
          i++;
        } else {
          return i + 1;
        }
      }
      i++;
    }
    return -1;
  }

  private boolean isComment(byte[] bytes, int from, int to) {
    return dialect.comments() && from < to && bytes[from] == '#';
  }

  @Override
  public boolean holdsRow(byte[] bytes, int from, int to) {
    return !isComment(bytes, from, to) && LINES.holdsRow(bytes, from, to);
  }
}
