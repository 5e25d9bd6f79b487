package io.sedge.console.internal.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sedge.console.SiteConsole;
import io.sedge.console.internal.http.ApiRoutes;
import io.sedge.console.internal.http.EventStream;
import io.sedge.console.internal.http.Json;
import io.sedge.console.internal.live.Broadcast;
import io.sedge.console.internal.live.Event;
import io.sedge.identity.Rates;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A site as its console shows it. A thread of its own asks the device once a second how the site
 * is, while anybody listens. Any thread.
 */
public final class LiveSite implements AutoCloseable {
  private static final long MOST_EVENT_BYTES = 4L << 20;
  private static final long HEARD_MILLIS = 1_000;

  private final SiteConsole.Options options;
  private final InstantSource clock;
  private final LoginCodes codes;
  private final Broadcast broadcast = new Broadcast(MOST_EVENT_BYTES);
  private final EventStream events;
  private final ApiRoutes api;
  private final CountDownLatch ending = new CountDownLatch(1);
  private @Nullable SiteStatus told;

  public LiveSite(SiteConsole.Options options, InstantSource clock, LongSupplier nanoClock) {
    this.options = options;
    this.clock = clock;
    this.codes = new LoginCodes(options.data(), clock);
    this.events = new EventStream(broadcast, nanoClock);
    Login login = new Login(codes, new Sessions(nanoClock), new Rates(nanoClock), options.log());
    SiteApi site =
        new SiteApi(
            options.control(),
            options.device(),
            options.version(),
            options.check(),
            login,
            events,
            clock);
    this.api = new ApiRoutes(site.routes(), options.log());
  }

  public ApiRoutes api() {
    return api;
  }

  /**
   * Lets people log in, and begins to look.
   *
   * @param address of the console
   */
  public void open(String address) throws IOException {
    codes.open(address);
    var _ = Thread.ofVirtual().name("sedge-console").start(this::look);
  }

  private void look() {
    try {
      while (!ending.await(HEARD_MILLIS, TimeUnit.MILLISECONDS)) {
        events.closeStuck();
        if (broadcast.listeners() > 0) {
          tell();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell() {
    try {
      SiteStatus status = options.control().status();
      if (!status.equals(told)) {
        told = status;
        ObjectNode object = SiteApi.status(status, clock.millis());
        broadcast.publish(Event.of("site", object.toString().getBytes(StandardCharsets.UTF_8)));
      }
    } catch (SiteException e) {
      broadcast.publish(Event.of("unavailable", Json.write(SiteJson.of(new Why(e.getMessage())))));
    } catch (RuntimeException e) {
      options.log().accept("the console shows nothing new, by a fault in Sedge: " + e);
    }
  }

  private record Why(@Nullable String message) {}

  @Override
  public void close() {
    ending.countDown();
    broadcast.end(Event.of("ended", "{}".getBytes(StandardCharsets.US_ASCII)));
    try {
      codes.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
