package io.sedge.site;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Connectors;
import io.sedge.identity.Authority;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.PeerTrust;
import io.sedge.identity.SealingKey;
import io.sedge.identity.TokenText;
import io.sedge.learning.training.HistoryQuery;
import io.sedge.ledger.Format;
import io.sedge.ledger.SiteState;
import io.sedge.replication.Invitation;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerListener;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.ListenException;
import io.sedge.replication.MemberOptions;
import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.control.ControlServer;
import io.sedge.site.internal.device.AllowedDirectories;
import io.sedge.site.internal.device.DeviceLog;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.site.internal.downlink.AlarmOrders;
import io.sedge.site.internal.downlink.Conditions;
import io.sedge.site.internal.downlink.Downlink;
import io.sedge.site.internal.downlink.JobOrders;
import io.sedge.site.internal.downlink.OrderTaker;
import io.sedge.site.internal.downlink.Questions;
import io.sedge.site.internal.downlink.TableCommands;
import io.sedge.site.internal.files.FileKeeper;
import io.sedge.site.internal.files.FileStore;
import io.sedge.site.internal.membership.CenterRenewal;
import io.sedge.site.internal.membership.DeviceCommands;
import io.sedge.site.internal.membership.DeviceDirectory;
import io.sedge.site.internal.membership.DeviceDirectory.Settings;
import io.sedge.site.internal.membership.DeviceFiles;
import io.sedge.site.internal.membership.DeviceMaintenance;
import io.sedge.site.internal.membership.HeldPorts;
import io.sedge.site.internal.membership.LedgerControl;
import io.sedge.site.internal.membership.LedgerEnrolment;
import io.sedge.site.internal.membership.LedgerMembership;
import io.sedge.site.internal.membership.Readdressing;
import io.sedge.site.internal.membership.SecretStore;
import io.sedge.site.internal.operation.DeviceBundles;
import io.sedge.site.internal.operation.Diagnostics;
import io.sedge.site.internal.operation.Health;
import io.sedge.site.internal.operation.LogFile;
import io.sedge.site.internal.operation.OperationServer;
import io.sedge.site.internal.operation.Probe;
import io.sedge.site.internal.training.DeviceTraining;
import io.sedge.site.internal.training.TrainingSchedule;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import io.sedge.task.RunOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * A device of a site that runs in this process: its identity, its copy of the ledger, and the
 * sockets that it is reached by. Everything that it needs to come back after a crash is in its
 * directory. Any thread may call.
 */
public final class Device implements AutoCloseable {
  private static final Duration LEADING_PATIENCE = Duration.ofSeconds(20);
  private static final Duration REGISTRATION_PATIENCE = Duration.ofSeconds(3);

  /** Another one that joins on this machine may hold the ports until it hears that it may not. */
  private static final Duration PORT_PATIENCE = Duration.ofSeconds(30);

  /** Answers to a newcomer that leave no doubt that the site does not know it. */
  private static final Set<FailureCode> REFUSALS =
      EnumSet.of(
          FailureCode.USAGE,
          FailureCode.JOIN_REFUSED,
          FailureCode.NAME_TAKEN,
          FailureCode.ADDRESS_IN_USE,
          FailureCode.SHUT_OUT,
          FailureCode.NO_AUTHORITY,
          FailureCode.LIMIT_REACHED);

  private static final long LOOK_MILLIS = 20;

  private final DeviceOptions options;
  private final SiteControl control;
  private final Deque<AutoCloseable> parts;
  private final CompletableFuture<Void> end;
  private final Health health;
  private final JobListener log;

  private Device(
      DeviceOptions options,
      SiteControl control,
      Health health,
      JobListener log,
      Deque<AutoCloseable> parts,
      CompletableFuture<Void> end) {
    this.options = options;
    this.control = control;
    this.health = health;
    this.log = log;
    this.parts = parts;
    this.end = end;
  }

  /**
   * What a data directory says of its device, so that it can be started as it was.
   *
   * @param name in its site
   * @param host an address of its own
   * @param port of the ledger
   * @param enrolmentPort where others join
   * @param labels what jobs may demand of it
   * @param metrics where it tells programs on its machine how it is
   * @param console where it shows the site in a browser
   * @param joined whether it belongs to a site; else it has begun to join one, and may take another
   *     address
   * @param certificate its file, if it has one
   */
  public record Known(
      String name,
      String host,
      int port,
      int enrolmentPort,
      Map<String, String> labels,
      Optional<LoopbackAddress> metrics,
      Optional<ConsoleAddress> console,
      boolean joined,
      Optional<Path> certificate) {}

  /** The device that has a data directory; empty if none has. */
  public static Optional<Known> in(Path data) throws SiteException {
    Path identity = DeviceDirectory.identity(data);
    boolean identified = DeviceIdentity.existsIn(identity);
    return DeviceDirectory.settings(data)
        .map(
            settings ->
                new Known(
                    settings.name(),
                    settings.host(),
                    settings.port(),
                    settings.enrolmentPort(),
                    settings.labels(),
                    settings.metrics(),
                    settings.console(),
                    settings.through().isEmpty() || identified,
                    Optional.of(DeviceIdentity.certificateIn(identity)).filter(_ -> identified)));
  }

  /**
   * Whether a data directory has the first device of a site, which has not listened yet: nobody
   * knows of it, so it may take other ports at its host.
   */
  public static boolean mayTakeOtherPorts(Path data) throws SiteException {
    Optional<Settings> settings = DeviceDirectory.settings(data);
    return settings.isPresent() && mayTakeOtherPorts(data, settings.get());
  }

  /**
   * Tells a text that is no token, as {@link #join} would, without asking anybody.
   *
   * @throws SiteException USAGE: what is wrong with it, without the text
   */
  public static void checkToken(String token) throws SiteException {
    EnrolmentClient.token(token);
  }

  private static boolean mayTakeOtherPorts(Path data, Settings settings) throws SiteException {
    return settings.through().isEmpty() && !hasLedger(data);
  }

  private static boolean hasLedger(Path data) throws SiteException {
    try {
      return LedgerMember.hasBegunIn(DeviceDirectory.ledger(data));
    } catch (LedgerException e) {
      throw new SiteException(FailureCode.DIRECTORY_NOT_USABLE, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Starts the device of a directory again; where there is none, the first device of a new site.
   *
   * @param connectors what jobs may read and write
   * @param clock the wall clock
   * @throws SiteException DIRECTORY_NOT_USABLE if another process uses the directory, or name or
   *     address are not those of its device; ADDRESS_IN_USE if the first device of a new site
   *     cannot listen there: it may be started again with other ports; CONNECTION_FAILED if a
   *     device that has listened there before cannot
   */
  public static Device start(
      DeviceOptions options, Connectors connectors, InstantSource clock, JobListener listener)
      throws SiteException {
    return new Opening(options, connectors, clock, listener).open(Optional.empty(), "");
  }

  /**
   * Starts a device that joins a site; if it has joined already, the same as {@link #start}. May be
   * repeated, with the same token, if it failed or the process ended.
   *
   * @param through address of enrolment of a device that has the authority, {@code host:port}
   * @throws SiteException JOIN_REFUSED, NAME_TAKEN, ADDRESS_IN_USE, SHUT_OUT by the site, or if
   *     another process has one of its ports: nothing is left in the directory then; and as {@link
   *     #start}
   */
  public static Device join(
      DeviceOptions options,
      String through,
      String token,
      Connectors connectors,
      InstantSource clock,
      JobListener listener)
      throws SiteException {
    return new Opening(options, connectors, clock, listener).open(Optional.of(through), token);
  }

  /**
   * Gives the only device of a site another address, while it is stopped.
   *
   * @param options its directory, its name, and the address that it is to have
   * @throws SiteException DIRECTORY_NOT_USABLE if there is no such device, or it runs; NOT_NOW if
   *     its site has other devices, or it does not have the certificate authority
   */
  public static void readdress(DeviceOptions options, InstantSource clock, JobListener listener)
      throws SiteException {
    new Readdressing(options, clock, listener).carryOut();
  }

  /** The address of this machine from which another one is reached. */
  public static String ownHostTowards(String address) throws SiteException {
    return EnrolmentClient.ownHostTowards(address);
  }

  public DeviceOptions options() {
    return options;
  }

  public SiteControl control() {
    return control;
  }

  /** Its log, for those who do something through {@link #control} that is to be found there. */
  public JobListener log() {
    return log;
  }

  /** Whether its agent does anything at all; if not, its process is to be started anew. */
  public boolean works() {
    return health.live().ok();
  }

  /**
   * Waits until the device is closed.
   *
   * @throws SiteException SHUT_OUT if it was expelled or removed; it does nothing any more, and is
   *     to be closed
   */
  public void await() throws SiteException, InterruptedException {
    try {
      end.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SiteException known) {
        throw known;
      }
      throw new SiteException(FailureCode.INTERNAL_ERROR, "the device ended: " + e.getCause(), e);
    }
  }

  /**
   * Ends this process's part; the directory stays, and the site goes on with it when it returns.
   */
  @Override
  public void close() {
    try {
      closeAll(parts);
    } finally {
      end.complete(null);
    }
  }

  private static void closeAll(Deque<AutoCloseable> parts) {
    synchronized (parts) {
      while (!parts.isEmpty()) {
        try {
          parts.pop().close();
        } catch (Exception e) {
          throw new IllegalStateException("closing a part of the device", e);
        }
      }
    }
  }

  /** One attempt to open a device; what is open is closed again if it fails. */
  private static final class Opening {
    private final DeviceOptions options;
    private final Connectors connectors;
    private final InstantSource clock;
    private final DeviceLog log;
    private final JobListener listener;
    private volatile Optional<LogFile> file = Optional.empty();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private boolean asked;
    private boolean letIn;

    Opening(
        DeviceOptions options, Connectors connectors, InstantSource clock, JobListener listener) {
      this.options = options;
      this.connectors = connectors;
      this.clock = clock;
      this.log =
          new DeviceLog(
              clock,
              line -> {
                listener.report(line.severity(), text(line));
                file.ifPresent(to -> to.write(line));
              });
      this.listener = (severity, message) -> log.add(severity, "", message);
    }

    private static String text(LogLine line) {
      return line.task().isEmpty() ? line.text() : line.task() + ": " + line.text();
    }

    Device open(Optional<String> through, String token) throws SiteException {
      if (System.getProperty(PeerTrust.FORBID_RESUMPTION) == null) {
        System.setProperty(PeerTrust.FORBID_RESUMPTION, "0");
      }
      boolean opened = false;
      try {
        Device device =
            openOrForget(part(DeviceDirectory.take(options.data(), listener)), through, token);
        opened = true;
        return device;
      } catch (IOException | GeneralSecurityException e) {
        throw new SiteException(
            FailureCode.DIRECTORY_NOT_USABLE,
            "the identity in %s cannot be used: %s".formatted(options.data(), e.getMessage()),
            e);
      } finally {
        if (!opened) {
          closeAll(parts);
        }
      }
    }

    /** What was made for a device that nobody can know of is not left behind if it fails. */
    private Device openOrForget(DeviceDirectory directory, Optional<String> through, String token)
        throws SiteException, IOException, GeneralSecurityException {
      try {
        return open(directory, through, token);
      } catch (SiteException | IOException | GeneralSecurityException | RuntimeException e) {
        if (directory.isFresh() && !asked && !hasLedger(options.data())) {
          directory.forget();
        }
        throw e;
      }
    }

    private <T extends AutoCloseable> T part(T part) {
      parts.push(part);
      return part;
    }

    private Device open(DeviceDirectory directory, Optional<String> through, String token)
        throws SiteException, IOException, GeneralSecurityException {
      openLogFile();
      Settings settings = shown(directory, settings(directory, through));
      long starts = directory.countStart();
      checkPorts(settings);
      DeviceIdentity identity = identity(directory, settings, token);
      LedgerMember member = member(directory, settings, identity);
      LedgerMembership membership = new LedgerMembership(member, options.name());
      identity.trust().shutOut(membership::isShutOut);
      admit(settings, identity, member);
      FileStore store = FileStore.open(directory.files());
      AllowedDirectories allowed = AllowedDirectories.open(options);
      FileKeeper keeper =
          new FileKeeper(
              store, options.directory(), allowed, new DeviceFiles(membership, identity), listener);
      DeviceTraining training = part(training(allowed));
      DeviceBundles bundles = new DeviceBundles(options.data(), clock, listener);
      Enrolment enrolment =
          enrolment(directory, identity, member, membership, bundles, keeper, training);
      DeviceCommands commands =
          new DeviceCommands(membership, identity, enrolment, settings.through());
      SecretStore secrets =
          new SecretStore(
              member,
              membership,
              options.name(),
              SealingKey.open(directory.identity(), options.name()),
              clock,
              listener);
      CenterRenewal center = new CenterRenewal(member, secrets, clock, listener);
      DeviceMaintenance maintenance =
          part(
              new DeviceMaintenance(
                  options,
                  member,
                  identity,
                  enrolment,
                  commands,
                  secrets,
                  center,
                  clock,
                  listener,
                  end::completeExceptionally));
      maintenance.start();
      SiteNode node =
          part(
              new SiteNode(
                  member,
                  membership,
                  member::logCounts,
                  member.invite().site().toString(),
                  options,
                  allowed,
                  keeper,
                  secrets,
                  connectors,
                  log,
                  clock));
      member.onAlarm(node::alarm);
      node.start();
      Probe probe = new Probe(options, member, node, identity, enrolment, clock, starts);
      Diagnostics diagnostics = new Diagnostics(probe);
      LedgerControl control =
          new LedgerControl(
              identity,
              member,
              commands,
              secrets,
              node,
              diagnostics::take,
              bundles,
              keeper,
              training,
              clock);
      training.begin(node::training);
      bundles.begin(control);
      TrainingSchedule schedule = new TrainingSchedule(part(control.modelDesk()), clock, listener);
      maintenance.alsoSeeTo(schedule::look);
      part(control.rollBacks()).start();
      OrderTaker taker =
          new OrderTaker(
              member,
              new TableCommands(member, node::sinks, node::refusal),
              new JobOrders(control.centerJobs()),
              new AlarmOrders(member, control::actOnAlarms),
              clock,
              listener);
      Downlink downlink =
          part(
              new Downlink(
                  options.name(),
                  member,
                  secrets,
                  taker,
                  new Questions(member, control::latestLogs, control::bundle, listener),
                  () -> Conditions.of(control.status(), member.read(SiteState::devices)),
                  clock,
                  listener));
      maintenance.alsoSeeTo(downlink::look);
      awaitRegistration(member);
      part(ControlServer.start(options.data(), control, listener));
      if (options.metrics().isPresent()) {
        part(OperationServer.start(options.metrics().get(), probe, listener));
      }
      return new Device(options, control, new Health(probe), listener, parts, end);
    }

    /** A device that cannot keep what it says says it all the same. */
    private void openLogFile() {
      try {
        file = Optional.of(part(LogFile.open(options.data())));
      } catch (IOException e) {
        listener.report(
            Severity.WARNING,
            "what the device says cannot be kept in %s: %s".formatted(options.data(), e));
      }
      part(log);
    }

    /** Until the ledger knows this device, where that takes no more than a moment. */
    private void awaitRegistration(LedgerMember member) throws SiteException {
      long begin = System.nanoTime();
      while (member.leader().isPresent()
          && member.read(state -> state.device(options.name())).isEmpty()
          && System.nanoTime() - begin < REGISTRATION_PATIENCE.toNanos()) {
        pause();
      }
    }

    private static void pause() throws SiteException {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SiteException(FailureCode.NOT_NOW, "the device was stopped as it started", e);
      }
    }

    /**
     * Labels, and where it shows how it is, may change with each start; the directory keeps the
     * last.
     */
    private Settings shown(DeviceDirectory directory, Settings settings) throws SiteException {
      Settings asked = settings.with(options);
      if (!asked.equals(settings)) {
        directory.write(asked);
      }
      return asked;
    }

    /** What the directory says, which must be what the options say. */
    private Settings settings(DeviceDirectory directory, Optional<String> through)
        throws SiteException {
      Optional<Settings> known = DeviceDirectory.settings(options.data());
      if (known.isEmpty()) {
        Settings fresh = Settings.of(options, through);
        directory.write(fresh);
        return fresh;
      }
      Settings settings = known.get();
      boolean settled = DeviceIdentity.existsIn(directory.identity());
      Settings asked = Settings.of(options, through);
      if (!settled && settings.through().isPresent() == through.isPresent()) {
        directory.write(asked);
        return asked;
      }
      boolean atOtherPorts = settings.port() != options.port();
      if (!settings.name().equals(options.name())
          || !settings.host().equals(options.host())
          || (atOtherPorts && !mayTakeOtherPorts(options.data(), settings))) {
        throw new SiteException(
            FailureCode.DIRECTORY_NOT_USABLE,
            "the device in %s is %s at %s:%d, not %s at %s: leave --name and --listen out, or name another directory with --data. The only device of a site is given another address by `sedge device address HOST:PORT`"
                .formatted(
                    options.data(),
                    settings.name(),
                    settings.host(),
                    settings.port(),
                    options.name(),
                    options.address()));
      }
      if (through.isPresent() && settings.through().isEmpty()) {
        throw new SiteException(
            FailureCode.DIRECTORY_NOT_USABLE,
            "%s has the first device of a site, which cannot join another one; name another directory with --data"
                .formatted(options.data()));
      }
      if (atOtherPorts) {
        Settings moved = settings.at(options.host(), options.port(), options.enrolmentPort());
        directory.write(moved);
        return moved;
      }
      return settings;
    }

    /**
     * Of a first device, before anything is made that has its address: its identity has the host,
     * and its ledger both ports.
     */
    private void checkPorts(Settings settings) throws SiteException {
      if (mayTakeOtherPorts(options.data(), settings)) {
        HeldPorts.take(options).close();
      }
    }

    private DeviceIdentity identity(DeviceDirectory directory, Settings settings, String token)
        throws SiteException, IOException, GeneralSecurityException {
      if (DeviceIdentity.existsIn(directory.identity())) {
        return DeviceIdentity.open(directory.identity(), clock);
      }
      if (settings.through().isEmpty()) {
        Authority authority =
            Authority.existsIn(directory.authority())
                ? Authority.open(directory.authority())
                : Authority.create(directory.authority(), options.name(), clock.instant());
        DeviceIdentity.found(
            directory.identity(),
            authority,
            options.name(),
            List.of(options.host()),
            clock.instant(),
            options.certificateValidity());
      } else if (token.isEmpty()) {
        throw new SiteException(
            FailureCode.DIRECTORY_NOT_USABLE,
            "the device in %s has begun to join a site and has not been let in yet: repeat `sedge device join %s` with the same token"
                .formatted(options.data(), settings.through().get()));
      } else {
        Invitation invitation = join(directory, settings, settings.through().get(), token);
        letIn = true;
        listener.report(
            Severity.INFO,
            "the site has let this device in%s"
                .formatted(invitation.voter() ? "" : "; it follows, since enough others vote"));
      }
      return DeviceIdentity.open(directory.identity(), clock);
    }

    /** What was written for a join that was refused is not left behind. */
    private Invitation join(
        DeviceDirectory directory, Settings settings, String through, String token)
        throws SiteException {
      boolean begun = directory.hasKey();
      EnrolmentClient.Joining joining =
          new EnrolmentClient.Joining() {
            @Override
            public void asked() {
              asked = true;
            }

            @Override
            public void keep(Invitation invitation) throws SiteException {
              directory.write(settings.invited(invitation));
            }
          };
      try {
        TokenText typed =
            EnrolmentClient.token(token); // A slip is said before a port that is taken.
        try (HeldPorts _ = HeldPorts.take(options)) {
          return EnrolmentClient.join(
              through, typed, directory.identity(), options, Format.NEWEST, clock, joining);
        }
      } catch (SiteException e) {
        if (!begun && (!asked || REFUSALS.contains(e.code()))) {
          directory.forget();
          throw e;
        }
        throw new SiteException(
            e.code(),
            "%s. The site may have let this device in: repeat the command with the same token and directory"
                .formatted(e.getMessage()),
            e);
      }
    }

    private LedgerMember member(
        DeviceDirectory directory, Settings settings, DeviceIdentity identity)
        throws SiteException {
      long begin = System.nanoTime();
      while (true) {
        try {
          return memberNow(directory, identity);
        } catch (LedgerException e) {
          boolean cannotListen = e instanceof ListenException;
          boolean mayBeFree = letIn && cannotListen;
          if (!mayBeFree || System.nanoTime() - begin > PORT_PATIENCE.toNanos()) {
            throw new SiteException(
                cannotListen && mayTakeOtherPorts(options.data(), settings)
                    ? FailureCode.ADDRESS_IN_USE
                    : FailureCode.CONNECTION_FAILED,
                String.valueOf(e.getMessage()),
                e);
          }
          pause();
        }
      }
    }

    private LedgerMember memberNow(DeviceDirectory directory, DeviceIdentity identity)
        throws SiteException, LedgerException {
      MemberOptions member =
          MemberOptions.of(
              directory.ledger(),
              options.name(),
              options.host(),
              options.port(),
              Optional.of(identity.tls()),
              (severity, message) -> listener.report(severity(severity), message));
      if (LedgerMember.existsIn(directory.ledger())) {
        return part(LedgerMember.open(member));
      }
      Optional<Invitation> invitation =
          DeviceDirectory.settings(options.data()).flatMap(Settings::invitation);
      return part(
          invitation.isPresent()
              ? LedgerMember.join(member, invitation.get())
              : LedgerMember.found(member));
    }

    private static Severity severity(LedgerListener.Severity severity) {
      return switch (severity) {
        case INFO -> Severity.INFO;
        case WARNING -> Severity.WARNING;
        case ERROR -> Severity.ERROR;
      };
    }

    /** The first device leads at once; a newcomer is made a member through whom it joined. */
    private void admit(Settings settings, DeviceIdentity identity, LedgerMember member)
        throws SiteException {
      if (settings.through().isEmpty()) {
        awaitLeading(member);
      } else if (knowsNobodyElse(member)) {
        listener.report(Severity.INFO, "waiting to be made a member of the site's ledger");
        EnrolmentClient.admit(settings.through().get(), identity, member.self());
      }
    }

    private static boolean knowsNobodyElse(LedgerMember member) {
      String self = member.self().id();
      return member.members().stream().allMatch(other -> other.id().equals(self));
    }

    /** Of a site of one, so that who comes next finds it ready; a larger one may take its time. */
    private void awaitLeading(LedgerMember member) throws SiteException {
      long begin = System.nanoTime();
      while (member.members().size() == 1 && !member.isLeader()) {
        if (System.nanoTime() - begin > LEADING_PATIENCE.toNanos()) {
          throw new SiteException(
              FailureCode.NO_MAJORITY,
              "the ledger in %s does not begin to work".formatted(options.data()));
        }
        pause();
      }
    }

    /** What a model's SELECT reads is the device's own, so it needs no secret. */
    private DeviceTraining training(AllowedDirectories allowed) throws IOException {
      return new DeviceTraining(
          options.data().resolve("training"),
          new HistoryQuery(
              connectors.byName(),
              RunOptions.in(options.directory()).withData(options.data()).withFiles(allowed),
              clock),
          listener);
    }

    private Enrolment enrolment(
        DeviceDirectory directory,
        DeviceIdentity identity,
        LedgerMember member,
        LedgerMembership membership,
        DeviceBundles bundles,
        FileKeeper keeper,
        DeviceTraining training)
        throws SiteException, IOException, GeneralSecurityException {
      Enrolment enrolment =
          part(
              new Enrolment(
                  options,
                  directory.authority(),
                  identity,
                  new LedgerEnrolment(member, membership),
                  log,
                  bundles,
                  keeper,
                  training,
                  clock,
                  System::nanoTime,
                  listener));
      enrolment.open();
      return enrolment;
    }
  }
}
