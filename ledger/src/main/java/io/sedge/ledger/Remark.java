package io.sedge.ledger;

/**
 * What a device says of a task that does not go on as it should.
 *
 * @param text for people, in one line
 */
public record Remark(Kind kind, String text) {
  /** Characters of a text, at most. */
  public static final int MAX_CHARACTERS = 200;

  /** How bad it is; the worst first. */
  public enum Kind {
    /** The device cannot run it, for a reason that may be its own: another one may try. */
    UNFIT(1),
    /** It does not run there now. */
    STANDS(2),
    /** It runs, and waits for something, or hears nothing of a table. */
    RUNS(3),
    /** It is about to run. */
    BEGINS(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** In bytes; stays what it is. */
    public int code() {
      return code;
    }

    /**
     * @throws MalformedException if no kind has the code
     */
    public static Kind ofCode(int code) throws MalformedException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new MalformedException("a kind of remark with code " + code);
    }
  }

  public Remark {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "a remark of %d characters, at most %d are allowed"
              .formatted(text.length(), MAX_CHARACTERS));
    }
  }

  /** A remark with as much of the text as may be in one. */
  public static Remark cut(Kind kind, String text) {
    if (text.length() <= MAX_CHARACTERS) {
      return new Remark(kind, text);
    }
    boolean split = Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 2));
    return new Remark(kind, text.substring(0, MAX_CHARACTERS - (split ? 2 : 1)) + "…");
  }
}
