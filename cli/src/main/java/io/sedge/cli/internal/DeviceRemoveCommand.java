package io.sedge.cli.internal;

import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge device remove}. */
@Command(
    name = "remove",
    header = "Takes a device out of the site, after its tasks have gone to others.",
    description = {
      "Drains the device, waits until it has no tasks any more, and removes it. Where that is not",
      "waited for, or Ctrl-C ends it, a device with tasks is drained further, and is not removed."
    },
    footer = {
      "Examples:",
      "  sedge device remove gateway-2",
      "  sedge device remove gateway-2 --wait"
    })
final class DeviceRemoveCommand extends DeviceActionCommand {
  @Mixin private final DrainWaiting waiting = new DrainWaiting();
  @Mixin private final AuthorityLoss loss = new AuthorityLoss();

  DeviceRemoveCommand(Surroundings surroundings) {
    super(surroundings, "remove");
  }

  @Override
  void act(DeviceConnection site, String name, Answers answers)
      throws SiteException, InterruptedException {
    SiteStatus before = site.status();
    int tasks = DrainWait.tasks(before, name).size();
    if (tasks > 0 && mayGo(before, name)) {
      site.drain(name);
      if (!waiting.waitIfAsked(site, name, surroundings())) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "device %s is being drained, and has %s: remove it when it has none, or wait for that with --wait"
                .formatted(name, Printable.count(tasks, "task")));
      }
    }
    KnownSecrets known = KnownSecrets.of(name, site);
    site.removeDevice(name, loss.isAllowed());
    done(answers, "device %s is no device of this site any more");
    known.warn(surroundings());
    loss.warn(site, surroundings());
  }

  /** A device that is not removed in the end is not drained either; the site says why. */
  private boolean mayGo(SiteStatus status, String name) {
    return !name.equals(status.device()) && (loss.isAllowed() || !status.isLastAuthority(name));
  }
}
