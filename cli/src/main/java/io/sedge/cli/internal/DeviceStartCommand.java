package io.sedge.cli.internal;

import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;

/** {@code sedge device start}. */
@Command(
    name = "start",
    header = "Starts the device of a data directory, or the first device of a new site.",
    description = {
      "Runs until Ctrl-C. A device that was killed or lost power comes back with the same command.",
      "The first device makes the site's certificate authority and shows a token for the next one."
    },
    footer = {
      "Examples:",
      "  sedge device start --data a",
      "  sedge device start --listen 10.0.0.7:7410 --name press-hall --label zone=north",
      "  sedge device start --data /var/lib/sedge --cpu 0.5 --memory 256m"
    })
final class DeviceStartCommand extends DeviceProcess {
  DeviceStartCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  String defaultHost() {
    return "127.0.0.1";
  }

  @Override
  Device start(DeviceOptions options) throws SiteException {
    return Device.start(options, connectors(), surroundings().clock(), this::report);
  }

  @Override
  boolean showsToken(boolean known) {
    return !known;
  }
}
