package io.sedge.console;

import io.sedge.console.internal.site.LoginCodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * What to open in a browser to log in to a {@link SiteConsole}: once, within ten minutes. It stands
 * apart from that, since a command that makes a link has no HTTP server in its class path. Any
 * thread.
 */
public final class ConsoleLink {
  private ConsoleLink() {}

  /**
   * Makes a link.
   *
   * @param data the directory of a device on this machine
   * @return empty if it shows no console
   */
  public static Optional<String> of(Path data, InstantSource clock) throws IOException {
    return LoginCodes.find(data).map(place -> place.link(clock));
  }
}
