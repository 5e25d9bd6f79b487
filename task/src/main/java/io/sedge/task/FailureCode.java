package io.sedge.task;

/** What went wrong, as a name that does not change between versions. */
public enum FailureCode {
  SCRIPT_NOT_ACCEPTED(FailureClass.USER),
  TABLE_NOT_ACCEPTED(FailureClass.USER),
  EVALUATION_FAILED(FailureClass.USER),
  /** All of a bounded input was malformed. */
  NOTHING_READ(FailureClass.USER),
  FILE_NOT_READABLE(FailureClass.USER),
  USAGE(FailureClass.USER),
  /** There is no job, task or device of that name. */
  UNKNOWN_NAME(FailureClass.USER),
  NAME_TAKEN(FailureClass.USER),
  /** Another device or program has the address or the port. */
  ADDRESS_IN_USE(FailureClass.USER),
  /** The state of the job or device does not allow it. */
  NOT_NOW(FailureClass.USER),
  /** A job that somebody waits for has failed, or was stopped. */
  JOB_NOT_FINISHED(FailureClass.USER),
  /** A directory does not hold what it should, or another process uses it. */
  DIRECTORY_NOT_USABLE(FailureClass.USER),
  /** A token, certificate or name was not accepted by the site. */
  JOIN_REFUSED(FailureClass.USER),
  /** The device was expelled, or removed. */
  SHUT_OUT(FailureClass.USER),
  CONNECTION_FAILED(FailureClass.EXTERNAL),
  /** A file or directory that a table is about is missing, not permitted, or its disk is full. */
  FILE_FAILED(FailureClass.EXTERNAL),
  /** A secret that a table names is not set, or this device does not have it yet. */
  SECRET_MISSING(FailureClass.EXTERNAL),
  DEVICE_NOT_RUNNING(FailureClass.EXTERNAL),
  /** Too few of the ledger's voters answer. */
  NO_MAJORITY(FailureClass.EXTERNAL),
  /** No device that has the certificate authority can be reached. */
  NO_AUTHORITY(FailureClass.EXTERNAL),
  STATE_TOO_LARGE(FailureClass.RESOURCES),
  /** A bound of the ledger: how many there may be, or how large. */
  LIMIT_REACHED(FailureClass.RESOURCES),
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
