package io.sedge.cli.internal.doctor;

/**
 * What was found of one thing.
 *
 * @param subject the thing, a word or two
 * @param text how it is
 * @param remedy what to do; empty if nothing is to be done
 */
public record Finding(Grade grade, String subject, String text, String remedy) {
  static Finding ok(String subject, String text) {
    return new Finding(Grade.OK, subject, text, "");
  }

  static Finding warning(String subject, String text, String remedy) {
    return new Finding(Grade.WARNING, subject, text, remedy);
  }

  static Finding failure(String subject, String text, String remedy) {
    return new Finding(Grade.FAILURE, subject, text, remedy);
  }
}
