package io.sedge.cli.internal;

import io.sedge.task.Printable;

/**
 * A device that cannot be asked what it has said, so that its lines are missing.
 *
 * @param unavailable why
 */
record UnavailableDevice(String device, String unavailable) {
  /** Says it on standard error, and to programs among the lines of the others. */
  void tell(Surroundings surroundings, Answers answers, boolean json) {
    surroundings
        .err()
        .println(
            "sedge: device %s cannot be asked: %s; its lines are missing"
                .formatted(Printable.text(device), Printable.text(unavailable)));
    if (json) {
      answers.json(this);
    }
  }
}
