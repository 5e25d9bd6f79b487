package io.sedge.simulator;

/** What became of a command. */
public sealed interface CommandOutcome {
  /**
   * It was obeyed.
   *
   * @param what it concerned: {@code process/pump-2/speed}
   * @param from the value before
   * @param to the value now; the nearest one allowed if the command's was not
   * @param limited whether {@code to} is not what was asked for
   */
  record Obeyed(String what, double from, double to, boolean limited) implements CommandOutcome {}

  /**
   * Nothing was changed.
   *
   * @param why for people: what was asked and what is allowed
   */
  record Refused(String why) implements CommandOutcome {}
}
