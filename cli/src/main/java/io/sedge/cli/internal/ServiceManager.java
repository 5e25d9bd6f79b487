package io.sedge.cli.internal;

import io.sedge.task.Printable;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Tells systemd how the service is that this process is: that it is ready, that it still works,
 * that it ends. Without systemd (no {@code NOTIFY_SOCKET}) nothing happens. See sd_notify(3).
 */
final class ServiceManager implements AutoCloseable {
  private static final String SOCKET = "NOTIFY_SOCKET";
  private static final String WATCHDOG = "WATCHDOG_USEC";

  /** In each interval of the watchdog it is told this often. */
  private static final int TIMES = 3;

  private final Map<String, String> environment;
  private final Predicate<String> send;
  private final CountDownLatch ending = new CountDownLatch(1);

  ServiceManager(Map<String, String> environment) {
    this(environment, text -> Posix.sendDatagram(environment.getOrDefault(SOCKET, ""), text));
  }

  /**
   * @param send whether a message could be sent
   */
  ServiceManager(Map<String, String> environment, Predicate<String> send) {
    this.environment = Map.copyOf(environment);
    this.send = send;
  }

  /** Whether systemd has started this process as a service, whose output is its log. */
  boolean exists() {
    return !environment.getOrDefault(SOCKET, "").isEmpty();
  }

  /**
   * The service has begun. From now on systemd is told that it works, for as long as it does; if
   * that ends, systemd ends the process and starts it anew.
   *
   * @param status shown by {@code systemctl status}
   */
  void ready(String status, BooleanSupplier works) {
    tell("READY=1\nSTATUS=" + Printable.text(status));
    long micros = watchdogMicros();
    if (exists() && micros > 0) {
      Thread.ofPlatform().daemon().name("sedge-watchdog").start(() -> watch(micros / TIMES, works));
    }
  }

  private long watchdogMicros() {
    try {
      return Long.parseLong(environment.getOrDefault(WATCHDOG, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private void watch(long micros, BooleanSupplier works) {
    try {
      do {
        if (works.getAsBoolean()) {
          tell("WATCHDOG=1");
        }
      } while (!ending.await(micros, TimeUnit.MICROSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The service ends. */
  void stopping() {
    tell("STOPPING=1");
  }

  private void tell(String text) {
    if (exists()) {
      // Who cannot be told will miss it and say so: there is nobody else to tell.
      boolean _ = send.test(text);
    }
  }

  @Override
  public void close() {
    ending.countDown();
  }
}
