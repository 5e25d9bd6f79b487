package io.sedge.cli.internal;

import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sedge device address}. */
@Command(
    name = "address",
    header = "Gives the only device of a site another address, while it is stopped.",
    description = {
      "A site that was begun on loopback can so be opened for other machines. What is in its"
          + " ledger",
      "stays. A device among others is removed instead (`sedge device remove`), and joins anew."
    },
    footer = {
      "Example:",
      "  sedge device address 10.0.0.7:7410 --data a && sedge device start --data a"
    })
final class DeviceAddressCommand extends CommandOptions implements Callable<Integer> {
  private final Surroundings surroundings;

  @Parameters(
      paramLabel = "HOST:PORT",
      description = "An address of this machine. The next port is for newcomers.")
  private String address = "";

  @Mixin private final DataDirectory data = new DataDirectory();

  DeviceAddressCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws SiteException {
    Path directory = data.path(surroundings);
    String name =
        Device.in(directory)
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.DIRECTORY_NOT_USABLE,
                        "no device has %s as its directory: name one with --data"
                            .formatted(directory)))
            .name();
    ListenAddress listen = ListenAddress.parse(address);
    DeviceOptions options;
    try {
      options =
          DeviceOptions.of(directory, name, listen.host(), listen.port(), surroundings.directory());
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
    Device.readdress(options, surroundings.clock(), (_, message) -> say(message));
    say("device %s has the address %s when it is started".formatted(name, options.address()));
    return 0;
  }

  private void say(String message) {
    surroundings.err().println("sedge: " + Printable.text(message));
  }
}
