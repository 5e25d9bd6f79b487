package io.sedge.cli.internal;

import io.sedge.site.api.SecretStatus;

/** What is to be known when a secret has been set. */
final class SecretText {
  private SecretText() {}

  /** Who has it not yet, and which jobs take it when. */
  static void say(SecretStatus status, Surroundings surroundings) {
    if (!status.missing().isEmpty()) {
      say(
          surroundings,
          "not yet on %s: given when it is up, by a device that has it"
              .formatted(String.join(", ", status.missing())));
    }
    for (String job : status.jobs()) {
      say(
          surroundings,
          "job %s takes it when its tables are opened next; at once: sedge job pause %s && sedge job resume %s"
              .formatted(job, job, job));
    }
  }

  private static void say(Surroundings surroundings, String what) {
    surroundings.err().println("sedge: " + what);
  }
}
