package io.sedge.sql.internal;

import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Something in a script that is not accepted; caught where its statement is compiled. */
final class UnsupportedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final @Nullable String remedy;
  private final transient @Nullable SqlParserPos position;

  UnsupportedException(String message, @Nullable String remedy) {
    this(message, remedy, null);
  }

  UnsupportedException(String message, @Nullable String remedy, @Nullable SqlParserPos position) {
    super(message, null, false, false);
    this.remedy = remedy;
    this.position = position;
  }

  @Nullable String remedy() {
    return remedy;
  }

  /** Where it stands, or null if whoever catches this knows better. */
  @Nullable SqlParserPos position() {
    return position;
  }

  /** The same at a position, unless it has one. */
  UnsupportedException at(@Nullable SqlParserPos place) {
    return position == null && place != null
        ? new UnsupportedException(String.valueOf(getMessage()), remedy, place)
        : this;
  }
}
