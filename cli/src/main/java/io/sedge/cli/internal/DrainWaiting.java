package io.sedge.cli.internal;

import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
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

  /** Waits until a device has no tasks any more, if that was asked for; whether it was. */
  boolean waitIfAsked(SiteControl site, String device, Surroundings surroundings)
      throws SiteException, InterruptedException {
    boolean asked = wait == null ? surroundings.errIsTerminal() : wait;
    if (asked) {
      new DrainWait(surroundings).until(DrainWait.of(site), device);
    }
    return asked;
  }
}
