package io.sedge.cli.internal;

import io.sedge.task.Printable;

/**
 * A device that cannot be asked, so that its part of an answer is missing.
 *
 * @param unavailable why
 */
record UnavailableDevice(String device, String unavailable) {
  /** Says it on standard error, and to programs among the lines of the others. */
  void tell(Surroundings surroundings, Answers answers, boolean json) {
    surroundings
        .err()
        .println(
            "sedge: device %s cannot be asked: %s; its part is missing"
                .formatted(Printable.text(device), Printable.text(unavailable)));
    if (json) {
      answers.json(this);
    }
  }
}
