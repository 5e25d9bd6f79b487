package io.sedge.site.internal.identity;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.DeviceOptions;
import io.sedge.site.FailureCode;
import io.sedge.site.JobListener;
import io.sedge.site.SiteException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether this device has the authority: since its start, or since another device gave it. While it
 * has it, newcomers and members are answered. Any thread.
 */
public final class Enrolment implements AutoCloseable {
  /** No longer than a person's offer stands. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DeviceOptions options;
  private final Path directory;
  private final DeviceIdentity identity;
  private final Membership membership;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final JobListener listener;
  private volatile @Nullable EnrolmentServer server;
  private boolean closed;

  /**
   * @param directory the authority's, which may not be there
   */
  public Enrolment(
      DeviceOptions options,
      Path directory,
      DeviceIdentity identity,
      Membership membership,
      InstantSource clock,
      LongSupplier nanoClock,
      JobListener listener) {
    this.options = options;
    this.directory = directory;
    this.identity = identity;
    this.membership = membership;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  /** Listens, if the directory has the authority. */
  public synchronized void open() throws SiteException, GeneralSecurityException {
    if (closed || server != null || !Authority.existsIn(directory)) {
      return;
    }
    try {
      server =
          EnrolmentServer.start(
              options, directory, identity, membership, clock, nanoClock, listener);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "cannot listen for newcomers at %s: %s"
              .formatted(options.enrolmentAddress(), e.getMessage()),
          e);
    }
  }

  /** What answers, if this device has the authority. */
  public Optional<EnrolmentServer> server() {
    return Optional.ofNullable(server);
  }

  /**
   * Fetches the authority from a device where a person has offered it, and listens. Nothing changes
   * if this device has it already, or if it fails.
   *
   * @param address of that device's enrolment, {@code host:port}
   */
  public void takeFrom(String address) throws SiteException {
    if (server == null) {
      keep(EnrolmentClient.takeAuthority(address, identity, PATIENCE));
    }
  }

  private synchronized void keep(byte[] key) throws SiteException {
    if (closed || server != null) {
      return;
    }
    try {
      Authority.write(directory, key, identity.authority());
      open();
    } catch (IOException | GeneralSecurityException e) {
      giveUp();
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE, "keeping it in %s: %s".formatted(directory, e), e);
    } catch (SiteException e) {
      giveUp();
      throw e;
    }
    listener.report(
        Severity.INFO,
        "this device has the site's certificate authority from now on, in %s".formatted(directory));
  }

  /** What is left would keep the device from starting again. */
  private void giveUp() {
    try {
      Authority.remove(directory);
    } catch (IOException e) {
      listener.report(
          Severity.ERROR,
          "the authority in %s cannot be used, and must be removed: %s".formatted(directory, e));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    EnrolmentServer present = server;
    if (present != null) {
      present.close();
    }
  }
}
