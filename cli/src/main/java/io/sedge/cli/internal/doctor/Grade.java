package io.sedge.cli.internal.doctor;

/** How what was found is. */
public enum Grade {
  OK("ok"),
  /** It works, but not well, or not for long. */
  WARNING("warning"),
  /** It does not work. */
  FAILURE("FAILURE");

  private final String word;

  Grade(String word) {
    this.word = word;
  }

  /** As people read it. */
  public String word() {
    return word;
  }
}
