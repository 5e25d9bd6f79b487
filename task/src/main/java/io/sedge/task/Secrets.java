package io.sedge.task;

/** Where the values of secrets come from that tables name in their options. Any thread. */
@FunctionalInterface
public interface Secrets {
  /** There are none. */
  Secrets NONE =
      name -> {
        throw new JobException(
            FailureCode.SECRET_MISSING, "there is no secret called %s here".formatted(name));
      };

  /**
   * The value of a secret; asked each time that a table which names it is opened.
   *
   * @throws JobException SECRET_MISSING, with what to do
   */
  String value(String name) throws JobException;
}
