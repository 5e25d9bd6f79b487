package io.sedge.cli.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.console.SiteConsole;
import io.sedge.learning.ModelProviders;
import io.sedge.site.Device;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --console} of {@code sedge device start} and {@code sedge device join}. */
final class DeviceConsoleOption {
  private static final String HOST = "127.0.0.1:";
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
  private static final String OFF = "off";
  private static final ConsoleAddress USUAL =
      new ConsoleAddress(new LoopbackAddress("127.0.0.1", 7480), false);

  /** What is typed in a browser loads no code and no model on the device. */
  private static final FileAccess NO_JARS =
      (what, path, _) -> {
        throw new ConnectorException(
            Kind.USER,
            "%s: the console loads no jars and no models, so not %s: check this script with `sedge check`"
                .formatted(what, path));
      };

  @Option(
      names = "--console",
      paramLabel = "[HOST:]PORT",
      order = 8,
      arity = "0..1",
      fallbackValue = AttachedValue.NONE,
      preprocessor = AttachedValue.class,
      description = {
        "Show the site in a browser on this machine: at 127.0.0.1, the first",
        "free port from 7480 on, if not at =PORT or =HOST:PORT on loopback.",
        "Who may look can change nothing; `sedge device console` lets log in.",
        "Kept for later starts; =off: nowhere, as at first."
      })
  private @Nullable String at;

  /**
   * Where it listens, if that is wanted; to be asked before the device is opened.
   *
   * @param kept where it listened last
   */
  Optional<ConsoleAddress> address(Optional<ConsoleAddress> kept) throws SiteException {
    if (at == null) {
      return kept;
    }
    if (at.equals(OFF)) {
      return Optional.empty();
    }
    if (at.equals(AttachedValue.NONE)) {
      return Optional.of(USUAL);
    }
    try {
      String address = PORT.matcher(at).matches() ? HOST + at : at;
      return Optional.of(new ConsoleAddress(LoopbackAddress.parse(address), true));
    } catch (IllegalArgumentException e) {
      throw new SiteException(
          FailureCode.USAGE,
          "--console=%s: %s; from another machine: ssh -L 7480:127.0.0.1:7480 and this machine's name"
              .formatted(at, e.getMessage()),
          e);
    }
  }

  /** Whether it was asked for now, and not only at an earlier start. */
  boolean isGiven() {
    return at != null;
  }

  /** Listens. */
  SiteConsole start(
      ConsoleAddress place, Device device, Connectors connectors, Surroundings surroundings)
      throws SiteException {
    SqlCompiler compiler =
        new SqlCompiler(
            connectors.byName(),
            connectors.formats().byName(),
            ModelProviders.installed(DeviceConsoleOption.class.getClassLoader()),
            surroundings.clock(),
            NO_JARS);
    try {
      return SiteConsole.start(
          new SiteConsole.Options(
              device.control(),
              device.options().data(),
              device.options().name(),
              BuildVersion.ofThis(),
              script -> compiler.compile("script.sql", script, surroundings.directory()),
              place.address().host(),
              place.address().port(),
              place.exact(),
              message -> device.log().report(Severity.INFO, message)),
          surroundings.clock(),
          surroundings.nanoClock());
    } catch (JobException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    }
  }
}
