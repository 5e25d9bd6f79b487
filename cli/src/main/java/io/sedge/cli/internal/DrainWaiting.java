package io.sedge.cli.internal;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a device's tasks are waited for. */
final class DrainWaiting {
  @Option(
      names = "--wait",
      negatable = true,
      description = {
        "Wait until it has no tasks any more, and show those that it has. Ctrl-C",
        "ends the waiting, not the draining. Default: in a terminal."
      })
  private @Nullable Boolean wait;

  boolean isAsked(Surroundings surroundings) {
    return wait == null ? surroundings.errIsTerminal() : wait;
  }
}
