package io.sedge.site.internal.identity;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.replication.Invitation;
import io.sedge.replication.Member;
import io.sedge.site.DeviceOptions;
import io.sedge.site.FailureCode;
import io.sedge.site.JobListener;
import io.sedge.site.JoinToken;
import io.sedge.site.SiteException;
import io.sedge.site.internal.message.Frames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/**
 * Where newcomers get a certificate for a token, and members another one for their own; on devices
 * that have the authority. TLS 1.3. One request a connection; who shows no certificate may only
 * join. Bounds: {@value #MAX_CONNECTIONS} connections at once, {@link #PATIENCE} until the request
 * is there, {@value #MAX_FRAME} bytes, and {@link Rates} for those who are refused.
 */
public final class EnrolmentServer implements AutoCloseable {
  static final int MAX_FRAME = 16 << 10;
  static final int MAX_CONNECTIONS = 32;
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Of clocks, between a newcomer and this device: half of what certificates are backdated. */
  static final Duration MOST_SKEW = Authority.BACKDATED.dividedBy(2);

  private static final int BACKLOG = 64;
  private static final String LATE = "sent no request within %d s".formatted(PATIENCE.toSeconds());

  private final DeviceIdentity identity;
  private final Authority authority;
  private final Tokens tokens;
  private final Membership membership;
  private final Duration validity;
  private final InstantSource clock;
  private final JobListener listener;
  private final RefusalLog refusals;
  private final Rates rates;
  private final SSLContext context;
  private final ServerSocket server;
  private final String address;

  /** Whom a person has offered the authority: names, and keys' fingerprints. */
  private final Map<String, String> offers = new ConcurrentHashMap<>();

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService deadlines;
  private volatile boolean closed;

  private EnrolmentServer(
      DeviceOptions options,
      DeviceIdentity identity,
      Authority authority,
      Tokens tokens,
      Membership membership,
      InstantSource clock,
      LongSupplier nanoClock,
      JobListener listener)
      throws IOException, GeneralSecurityException {
    this.identity = identity;
    this.authority = authority;
    this.tokens = tokens;
    this.membership = membership;
    this.validity = options.certificateValidity();
    this.clock = clock;
    this.listener = listener;
    this.refusals = new RefusalLog(listener, nanoClock);
    this.rates = new Rates(nanoClock);
    this.address = options.enrolmentAddress();
    this.context = TlsContexts.of(identity.keyManager(), identity.gate().forEnrolment());
    this.deadlines =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sedge-enrolment-deadlines").factory());
    this.server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(
        new InetSocketAddress(InetAddress.getByName(options.host()), options.enrolmentPort()),
        BACKLOG);
  }

  /**
   * Listens.
   *
   * @param directory the authority's
   * @throws GeneralSecurityException also if it is the authority of another site
   */
  static EnrolmentServer start(
      DeviceOptions options,
      Path directory,
      DeviceIdentity identity,
      Membership membership,
      InstantSource clock,
      LongSupplier nanoClock,
      JobListener listener)
      throws IOException, GeneralSecurityException {
    Authority authority = Authority.open(directory);
    if (!authority.certificate().equals(identity.authority())) {
      throw new GeneralSecurityException(directory + " is of another site's authority");
    }
    EnrolmentServer server =
        new EnrolmentServer(
            options,
            identity,
            authority,
            Tokens.open(directory, identity.keyFingerprint()),
            membership,
            clock,
            nanoClock,
            listener);
    Thread.ofPlatform().daemon().name("sedge-enrolment").start(server::accept);
    return server;
  }

  /** Makes a token; any thread. */
  public JoinToken token(Duration validFor) throws SiteException {
    if (validFor.isNegative() || validFor.isZero() || validFor.compareTo(Tokens.LONGEST) > 0) {
      throw new SiteException(
          FailureCode.USAGE,
          "a token may be valid for %d days at most, not for %s"
              .formatted(Tokens.LONGEST.toDays(), validFor));
    }
    Instant now = clock.instant();
    try {
      byte[] fingerprint = Pem.sha256(authority.certificate().getEncoded());
      TokenText token = tokens.create(fingerprint, now.plus(validFor), now);
      return new JoinToken(token.text(), address, now.plus(validFor).toEpochMilli());
    } catch (IOException | GeneralSecurityException e) {
      throw new SiteException(FailureCode.LIMIT_REACHED, "making a token: " + e.getMessage(), e);
    }
  }

  /** Where others ask it. */
  public String address() {
    return address;
  }

  /**
   * Lets a device fetch the authority once.
   *
   * @param key the fingerprint of its key
   */
  public void offer(String name, String key) {
    offers.put(name, key);
  }

  /** Ends an offer; whether it was still there, so that nothing was given. */
  public boolean withdraw(String name) {
    return offers.remove(name) != null;
  }

  /** A new certificate for this device itself. */
  public void renewOwn(String host) throws IOException, GeneralSecurityException {
    SigningRequest request = SigningRequest.read(identity.signingRequest());
    identity.replace(
        authority.sign(request.name(), request.key(), host, clock.instant(), validity));
  }

  private void accept() {
    while (!closed) {
      try {
        Socket socket = server.accept();
        String from = socket.getInetAddress().getHostAddress();
        if (open.size() >= MAX_CONNECTIONS || !rates.mayTry(from)) {
          refusals.refused(from, "rate", "too many connections or failed attempts; try again");
          socket.close();
          continue;
        }
        open.add(socket);
        Thread.ofVirtual().name("sedge-enrolment-" + from).start(() -> serveAndClose(socket, from));
      } catch (IOException e) {
        if (!closed) {
          refusals.refused("a connection", "accept", String.valueOf(e));
          pause();
        }
      }
    }
  }

  /** Such as too many open files: others need time to close theirs. */
  private static void pause() {
    java.util.concurrent.locks.LockSupport.parkNanos(100_000_000);
  }

  private void serveAndClose(Socket socket, String from) {
    AtomicBoolean late = new AtomicBoolean();
    ScheduledFuture<?> deadline =
        deadlines.schedule(
            () -> {
              late.set(true);
              closeQuietly(socket);
            },
            PATIENCE.toMillis(),
            TimeUnit.MILLISECONDS);
    try (socket) {
      serve(socket, from, deadline);
    } catch (SSLException e) {
      refuse(from, late.get() ? "late" : "handshake", late.get() ? LATE : reason(e));
    } catch (Frames.MalformedFrameException e) {
      refuse(from, "frame", String.valueOf(e.getMessage()));
    } catch (IOException e) {
      refuse(
          from,
          late.get() ? "late" : "ended",
          late.get() ? LATE : "the connection ended before there was a request: " + e.getMessage());
    } finally {
      deadline.cancel(false);
      open.remove(socket);
    }
  }

  /** The innermost reason says most: an untrusted certificate is wrapped several times. */
  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return "no TLS connection of this site: " + cause.getMessage();
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It is being given up.
    }
  }

  private void refuse(String from, String kind, String reason) {
    if (!closed) {
      rates.refused(from);
      refusals.refused(from, kind, reason);
    }
  }

  /** Who is refused is not said goodbye to: that would wait for an answer. */
  private void serve(Socket socket, String from, ScheduledFuture<?> deadline) throws IOException {
    SSLSocket tls = TlsContexts.serverSide(context, socket);
    tls.startHandshake();
    Frames frames = new Frames(tls.getInputStream(), tls.getOutputStream(), MAX_FRAME);
    EnrolmentRequest request = frames.read(EnrolmentRequest.class);
    deadline.cancel(false);
    EnrolmentAnswer answer;
    try {
      answer = answer(request, peer(tls));
    } catch (SiteException e) {
      refuse(from, "request", String.valueOf(e.getMessage()));
      answer = new EnrolmentAnswer.Refused(e.code(), String.valueOf(e.getMessage()));
    }
    frames.write(answer);
    tls.close();
  }

  private static Optional<X509Certificate> peer(SSLSocket socket) {
    try {
      return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      return Optional.empty();
    }
  }

  private EnrolmentAnswer answer(EnrolmentRequest request, Optional<X509Certificate> peer)
      throws SiteException {
    try {
      return switch (request) {
        case EnrolmentRequest.Join join -> join(join);
        case EnrolmentRequest.Renew renew -> renew(renew, registered(peer));
        case EnrolmentRequest.Admit admit -> {
          String name = valid(registered(peer));
          membership.admit(name, new Member(admit.member(), admit.address(), admit.voter()));
          yield new EnrolmentAnswer.Admitted();
        }
        case EnrolmentRequest.MakeToken make -> {
          valid(registered(peer));
          JoinToken token = token(Duration.ofMillis(make.validMillis()));
          yield new EnrolmentAnswer.TokenMade(token.text(), token.address(), token.endsAtMillis());
        }
        case EnrolmentRequest.TakeAuthority _ -> give(registered(peer));
      };
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the request is malformed: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.LIMIT_REACHED, "the authority's disk: " + e.getMessage(), e);
    }
  }

  private EnrolmentAnswer join(EnrolmentRequest.Join join)
      throws SiteException, GeneralSecurityException, IOException {
    Instant now = clock.instant();
    SigningRequest request = SigningRequest.read(join.signingRequest());
    String key = Pem.fingerprint(request.key().getEncoded());
    checkToken(tokens.verdict(join.token(), key, now));
    Duration skew = Duration.between(now, Instant.ofEpochMilli(join.atMillis()));
    if (skew.abs().compareTo(MOST_SKEW) > 0) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "the newcomer's clock says %s, this device's %s: set the wrong one, and join again; the token is still good"
              .formatted(Instant.ofEpochMilli(join.atMillis()), now));
    }
    DeviceOptions.checkName(request.name());
    join.labels().keySet().forEach(DeviceOptions::checkLabel);
    String host = Addresses.host(join.address());
    membership.checkReservable(request.name(), key, join.address());
    checkToken(tokens.redeem(join.token(), key, now));
    Invitation invitation = membership.reserve(request.name(), key, join.address(), join.labels());
    X509Certificate certificate =
        authority.sign(request.name(), request.key(), host, now, validity);
    return new EnrolmentAnswer.Welcome(
        certificate.getEncoded(),
        authority.certificate().getEncoded(),
        invitation.site(),
        invitation.voter());
  }

  private static void checkToken(Tokens.Verdict verdict) throws SiteException {
    String why =
        switch (verdict) {
          case ACCEPTED -> "";
          case UNKNOWN -> "the token is not one of this site's";
          case ENDED -> "the token has ended";
          case USED -> "the token has been used by another device";
        };
    if (!why.isEmpty()) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, why + "; `sedge device token` makes a new one");
    }
  }

  /** Who shows a certificate of a device that is registered with that key; it may have ended. */
  private X509Certificate registered(Optional<X509Certificate> peer)
      throws SiteException, GeneralSecurityException {
    if (peer.isEmpty()) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "without a certificate one may join, and nothing else");
    }
    X509Certificate certificate = peer.get();
    String name = SigningRequest.commonName(certificate.getSubjectX500Principal());
    if (!membership.isRegistered(name, Pem.fingerprint(certificate.getPublicKey().getEncoded()))) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "%s is no device of this site any more; it must join anew".formatted(name));
    }
    return certificate;
  }

  private String valid(X509Certificate certificate) throws SiteException, GeneralSecurityException {
    if (clock.instant().isAfter(certificate.getNotAfter().toInstant())) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "the certificate has ended; it must be renewed first");
    }
    return SigningRequest.commonName(certificate.getSubjectX500Principal());
  }

  private EnrolmentAnswer renew(EnrolmentRequest.Renew renew, X509Certificate certificate)
      throws SiteException, GeneralSecurityException {
    SigningRequest request = SigningRequest.read(renew.signingRequest());
    PublicKey key = certificate.getPublicKey();
    String name = SigningRequest.commonName(certificate.getSubjectX500Principal());
    if (!request.key().equals(key) || !request.name().equals(name)) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED, "a certificate is renewed for the same name and key only");
    }
    return new EnrolmentAnswer.Renewed(
        authority
            .sign(name, key, Addresses.checkHost(renew.host()), clock.instant(), validity)
            .getEncoded());
  }

  /** The name in the certificate is the authority's word, whatever the ledger was told since. */
  private EnrolmentAnswer give(X509Certificate certificate)
      throws SiteException, GeneralSecurityException {
    String name = valid(certificate);
    if (!offers.remove(name, Pem.fingerprint(certificate.getPublicKey().getEncoded()))) {
      throw new SiteException(
          FailureCode.JOIN_REFUSED,
          "nobody has offered device %s the certificate authority here".formatted(name));
    }
    listener.report(
        Severity.INFO, "the certificate authority is given to device %s".formatted(name));
    return new EnrolmentAnswer.AuthorityGiven(authority.key());
  }

  /** How many were refused so far. */
  public long refusals() {
    return refusals.refusals();
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
    } catch (IOException _) {
      // Nothing is accepted any more, which is all that is wanted.
    }
    open.forEach(EnrolmentServer::closeQuietly);
    deadlines.shutdownNow();
  }
}
