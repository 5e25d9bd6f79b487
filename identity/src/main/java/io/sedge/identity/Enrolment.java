package io.sedge.identity;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where others ask this device, and whether it has the authority: since its start, or since another
 * device gave it. Any thread.
 */
public final class Enrolment implements AutoCloseable {
  /** No longer than a person's offer stands. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DeviceOptions options;
  private final Path directory;
  private final DeviceIdentity identity;
  private final Membership membership;
  private final Log log;
  private final Bundles bundles;
  private final Files files;
  private final Training training;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final JobListener listener;
  private volatile @Nullable EnrolmentServer server;
  private volatile @Nullable Registrar registrar;
  private boolean closed;

  /** What a device and its tasks have said, and what its tasks have left out. Any thread. */
  public interface Log {
    LogPage page(LogQuery query);

    /** Empty for a job of which the device has had no task. */
    LeftOutPage leftOut(String job);

    /** What windows that the device has ended show of a job's models. */
    List<ModelDrift> drifts(String job);
  }

  /** The most bytes of a bundle that is asked for from afar. */
  public static final int MAX_BUNDLE_BYTES = 2 << 20;

  /** What somebody needs who looks for a fault of a device. Any thread; takes some seconds. */
  @FunctionalInterface
  public interface Bundles {
    /**
     * A zip file of at most {@link #MAX_BUNDLE_BYTES}.
     *
     * @throws SiteException NOT_NOW while another one is made
     */
    byte[] make() throws SiteException;
  }

  /** The files of jobs that a device has. Any thread. */
  public interface Files {
    /** Begins to get a file, which a job will name; whether it is here by now. */
    boolean offer(FileOffer file);

    /**
     * What a file holds from a place on; {@link FilePart#ABSENT} if it is not there, or cannot be
     * read.
     */
    FilePart read(String sha256, long offset);
  }

  /** The rows of a device that models are trained from. Any thread; may wait some seconds. */
  @FunctionalInterface
  public interface Training {
    /**
     * @throws SiteException if the device takes no part, or no more
     */
    TrainingReply answer(TrainingStep step) throws SiteException;
  }

  /**
   * @param directory the authority's, which may not be there
   */
  public Enrolment(
      DeviceOptions options,
      Path directory,
      DeviceIdentity identity,
      Membership membership,
      Log log,
      Bundles bundles,
      Files files,
      Training training,
      InstantSource clock,
      LongSupplier nanoClock,
      JobListener listener) {
    this.options = options;
    this.directory = directory;
    this.identity = identity;
    this.membership = membership;
    this.log = log;
    this.bundles = bundles;
    this.files = files;
    this.training = training;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  /**
   * Listens. One without the authority that cannot says so, and goes without.
   *
   * @throws SiteException CONNECTION_FAILED if it has the authority and cannot listen
   */
  public synchronized void open() throws SiteException, IOException, GeneralSecurityException {
    @Nullable Registrar fresh =
        Authority.existsIn(directory)
            ? new Registrar(options, directory, identity, membership, clock, listener)
            : null;
    try {
      if (fresh == null) {
        checkFree();
      }
      listen();
    } catch (IOException e) {
      if (fresh != null) {
        throw new SiteException(
            FailureCode.CONNECTION_FAILED,
            "cannot listen for newcomers at %s: %s"
                .formatted(options.enrolmentAddress(), e.getMessage()),
            e);
      }
      listener.report(
          Severity.WARNING,
          "the other devices cannot ask this one what it has said, nor for files of jobs: it cannot listen at %s: %s; free that port, and start the device again"
              .formatted(options.enrolmentAddress(), e.getMessage()));
    }
    registrar = fresh;
  }

  /**
   * Leaves the port to what else is to have it, and needs it more than a device without the
   * authority; there were versions in which such devices did not listen.
   */
  private void checkFree() throws BindException {
    if (options.metrics().filter(at -> at.port() == options.enrolmentPort()).isPresent()) {
      throw new BindException("metrics are told there");
    }
    Optional<String> other = membership.ledgerAt(options.enrolmentAddress());
    if (other.isPresent()) {
      throw new BindException("it is the address of device " + other.get());
    }
  }

  private void listen() throws IOException, GeneralSecurityException {
    if (!closed && server == null) {
      EnrolmentDesk desk =
          new EnrolmentDesk(
              options.name(), membership, this::registrar, log, bundles, files, training, clock);
      server = EnrolmentServer.start(options, identity, desk, nanoClock, listener);
    }
  }

  /** What newcomers need, if this device has the authority. */
  public Optional<Registrar> registrar() {
    return Optional.ofNullable(registrar);
  }

  /** How many who asked were refused so far. */
  public long refusals() {
    EnrolmentServer present = server;
    return present == null ? 0 : present.refusals();
  }

  /**
   * Fetches the authority from a device where a person has offered it. Nothing changes if this
   * device has it already, or if it fails.
   *
   * @param address of that device's enrolment, {@code host:port}
   */
  public void takeFrom(String address) throws SiteException {
    if (registrar == null) {
      keep(EnrolmentClient.takeAuthority(address, identity, PATIENCE));
    }
  }

  private synchronized void keep(byte[] key) throws SiteException {
    if (closed || registrar != null) {
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
