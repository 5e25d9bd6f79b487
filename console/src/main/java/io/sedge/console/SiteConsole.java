package io.sedge.console;

import io.sedge.console.internal.http.ConsoleServer;
import io.sedge.console.internal.site.LiveSite;
import io.sedge.site.api.SiteControl;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The console of a site, shown by one of its devices to browsers of its machine. Whoever is there
 * may look; who has a {@link ConsoleLink} may change something. Any thread.
 */
public final class SiteConsole implements AutoCloseable {
  private final LiveSite site;
  private final ConsoleServer server;

  private SiteConsole(LiveSite site, ConsoleServer server) {
    this.site = site;
    this.server = server;
  }

  /**
   * What it shows and where.
   *
   * @param control asked on virtual threads
   * @param data the device's directory: who may read it may log in
   * @param device its name
   * @param check compiles what is typed
   * @param host loopback
   * @param port 0 for any
   * @param named whether somebody asked for this port; else one of the next will do
   * @param log is told who has changed what
   */
  public record Options(
      SiteControl control,
      Path data,
      String device,
      String version,
      ScriptCheck check,
      String host,
      int port,
      boolean named,
      Consumer<String> log) {}

  /**
   * Listens.
   *
   * @throws JobException ADDRESS_IN_USE; DIRECTORY_NOT_USABLE
   */
  public static SiteConsole start(Options options, InstantSource clock, LongSupplier nanoClock)
      throws JobException {
    LiveSite site = new LiveSite(options, clock, nanoClock);
    ConsoleServer server =
        ConsoleServer.start(
            options.host(), options.port(), options.named(), site.api(), new ConsolePages());
    try {
      site.open(server.address());
      return new SiteConsole(site, server);
    } catch (IOException e) {
      server.close();
      throw new JobException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "what lets people log in to the console cannot be written in %s: %s"
              .formatted(options.data(), e),
          e);
    }
  }

  /** What to open in a browser to look. */
  public String address() {
    return server.address();
  }

  @Override
  public void close() {
    site.close();
    server.close();
  }
}
