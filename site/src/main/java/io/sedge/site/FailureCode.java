package io.sedge.site;

/** What went wrong, as a name that does not change between versions. */
public enum FailureCode {
  SCRIPT_NOT_ACCEPTED(FailureClass.USER),
  TABLE_NOT_ACCEPTED(FailureClass.USER),
  EVALUATION_FAILED(FailureClass.USER),
  FILE_NOT_READABLE(FailureClass.USER),
  USAGE(FailureClass.USER),
  CONNECTION_FAILED(FailureClass.EXTERNAL),
  STATE_TOO_LARGE(FailureClass.RESOURCES),
  OUT_OF_MEMORY(FailureClass.RESOURCES),
  INTERNAL_ERROR(FailureClass.INTERNAL);

  private final FailureClass failureClass;

  FailureCode(FailureClass failureClass) {
    this.failureClass = failureClass;
  }

  public FailureClass failureClass() {
    return failureClass;
  }
}
