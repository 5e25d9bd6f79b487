package io.sedge.cli.internal;

import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device join}. */
@Command(
    name = "join",
    header = "Starts a device that joins a site.",
    description = {
      "Runs until Ctrl-C; later `sedge device start` brings it back. If it is cut off, it may be",
      "repeated with the same token and directory."
    },
    footer = {
      "Examples:",
      "  sedge device join 10.0.0.7:7411 --token-file /run/token --data /var/lib/sedge",
      "  sedge device join 127.0.0.1:7411 --token sedge-... --data b --name b"
    })
final class DeviceJoinCommand extends DeviceProcess {
  @Parameters(
      paramLabel = "HOST:PORT",
      description = "Where newcomers ask, as `sedge device token` on the site says.")
  private String through = "";

  @Mixin private final TokenOptions token = new TokenOptions();

  DeviceJoinCommand(Surroundings surroundings) {
    super(surroundings);
  }

  /** The address by which this machine reaches the site is one by which the site reaches it. */
  @Override
  String defaultHost() throws SiteException {
    return Device.ownHostTowards(through);
  }

  @Override
  Device start(DeviceOptions options) throws SiteException {
    return Device.join(
        options,
        through,
        token.read(surroundings(), "sedge device join", "sedge device token"),
        connectors(),
        surroundings().clock(),
        this::report);
  }

  @Override
  boolean begins(boolean known) {
    return false;
  }
}
