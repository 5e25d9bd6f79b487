package io.sedge.cli.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sedge device start}. */
@Command(
    name = "start",
    header = "Starts the device of a data directory, or the first device of a new site.",
    description = {
      "Runs until Ctrl-C. A device that was killed or lost power comes back with the same command.",
      "The first device makes the site's certificate authority and shows a token for the next one.",
      "With --join all devices of a site are started by one command, as Kubernetes does: no token",
      "is shown then."
    },
    footer = {
      "Examples:",
      "  sedge device start --data a",
      "  sedge device start --listen 10.0.0.7:7410 --name press-hall --label zone=north",
      "  sedge device start --data /var/lib/sedge --cpu 0.5 --memory 256m",
      "  sedge device start --listen edge-1:7410 --join edge-1:7411,edge-2:7411 --token-file tokens"
    })
final class DeviceStartCommand extends DeviceProcess {
  @Mixin private final JoiningOptions joining = new JoiningOptions();

  DeviceStartCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  String defaultHost() {
    return "127.0.0.1";
  }

  @Override
  Device start(DeviceOptions options) throws SiteException {
    boolean asked = joining.isAsked(listens());
    if (!asked || Device.in(options.data()).filter(Device.Known::joined).isPresent()) {
      return begin(options);
    }
    JoiningOptions.Entrance<Device> entrance =
        new JoiningOptions.Entrance<>() {
          @Override
          public Device begin() throws SiteException {
            return DeviceStartCommand.this.begin(options);
          }

          @Override
          public Device join(String through, String token) throws SiteException {
            return Device.join(
                options,
                through,
                token,
                connectors(),
                surroundings().clock(),
                DeviceStartCommand.this::report);
          }

          @Override
          public void check(String token) throws SiteException {
            Device.checkToken(token);
          }
        };
    return joining.enter(
        options.enrolmentAddress(),
        surroundings(),
        entrance,
        DeviceStartCommand::pause,
        message -> report(Severity.INFO, message));
  }

  private Device begin(DeviceOptions options) throws SiteException {
    return Device.start(options, connectors(), surroundings().clock(), this::report);
  }

  private static void pause(Duration time) throws SiteException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, "the device was stopped as it waited", e);
    }
  }

  @Override
  boolean begins(boolean known) throws SiteException {
    return !known && !joining.isAsked(listens());
  }
}
