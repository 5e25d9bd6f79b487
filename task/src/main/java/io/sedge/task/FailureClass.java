package io.sedge.task;

/** Whose fault a failure is; it decides the exit code and whether trying again can help. */
public enum FailureClass {
  /** The script, its options or the data that it does not allow for. Trying again does not help. */
  USER(2),
  /** A fault of Sedge. */
  INTERNAL(1),
  /** Not enough memory, disk or threads. */
  RESOURCES(4),
  /** Something outside: a broker, a file system. Trying again may help. */
  EXTERNAL(3);

  private final int exitCode;

  FailureClass(int exitCode) {
    this.exitCode = exitCode;
  }

  /** What the command exits with. */
  public int exitCode() {
    return exitCode;
  }
}
