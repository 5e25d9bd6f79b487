package io.sedge.ledger;

/** Bytes are of a {@link Format} that only later versions read: they are not damaged. */
public final class LaterFormatException extends MalformedException {
  private static final long serialVersionUID = 1;

  private LaterFormatException(String message) {
    super(message);
  }

  /**
   * @param what has it, with a verb
   */
  public static LaterFormatException of(String what, int format) {
    return new LaterFormatException(
        "%s format %d, and this version of Sedge reads %d at most: install the later version again"
            .formatted(what, format, Format.NEWEST));
  }
}
