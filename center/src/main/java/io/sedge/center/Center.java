package io.sedge.center;

import static java.util.Objects.requireNonNull;

import io.helidon.common.tls.TlsClientAuth;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpService;
import io.sedge.center.internal.api.ApiContext;
import io.sedge.center.internal.api.ApiListener;
import io.sedge.center.internal.api.ApiService;
import io.sedge.center.internal.api.FirstLogin;
import io.sedge.center.internal.api.LocalAccess;
import io.sedge.center.internal.fleet.FleetRunner;
import io.sedge.center.internal.merge.Merger;
import io.sedge.center.internal.server.CenterDirectory;
import io.sedge.center.internal.server.ServerIdentity;
import io.sedge.center.internal.server.SiteTokens;
import io.sedge.center.internal.uplink.SiteQuestions;
import io.sedge.center.internal.uplink.UplinkService;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreOptions;
import io.sedge.connector.Causes;
import io.sedge.task.FailureCode;
import io.sedge.uplink.Uplink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A center in this process: two listeners over one store. Sites report to the one with certificates
 * on both sides. People ask the other with passwords, programs with tokens. Any thread.
 */
public final class Center implements AutoCloseable {
  private static final String SITES = "sites";
  private static final Duration IDLE = Duration.ofMinutes(5);
  private static final Duration SILENCE = Duration.ofMinutes(2);
  private static final int MOST_CONNECTIONS = 4_096;
  private static final long UPKEEP_HOURS = 1;

  private final CenterOptions options;
  private final Store store;
  private final SiteTokens tokens;
  private final Optional<String> firstLogin;
  private final Deque<AutoCloseable> parts;
  private final WebServer server;

  private Center(
      CenterOptions options,
      Store store,
      SiteTokens tokens,
      Optional<String> firstLogin,
      Deque<AutoCloseable> parts,
      WebServer server) {
    this.options = options;
    this.store = store;
    this.tokens = tokens;
    this.firstLogin = firstLogin;
    this.parts = parts;
    this.server = server;
  }

  /**
   * Opens the store and listens.
   *
   * @param page answers people's browsers outside the API, at the same port; empty for no page
   * @param merges compiles jobs over many sites
   * @param log is told what people should know
   * @throws CenterException DIRECTORY_NOT_USABLE; ADDRESS_IN_USE; CONNECTION_FAILED if the database
   *     cannot be reached
   */
  public static Center start(
      CenterOptions options,
      Optional<HttpService> page,
      MergeCompiler merges,
      InstantSource clock,
      Consumer<String> log)
      throws CenterException {
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    try {
      Center center = start(options, page, merges, clock, log, parts);
      parts = new ArrayDeque<>();
      return center;
    } finally {
      close(parts);
    }
  }

  /**
   * Puts a backup into the directory of a center that does not run and has no database.
   *
   * @param data the center's directory
   * @param store where its database is to be
   * @throws CenterException DIRECTORY_NOT_USABLE, also while a center runs there; USAGE if there is
   *     a database, or the file is no backup
   */
  public static void restore(Path file, Path data, StoreOptions store) throws CenterException {
    try {
      try (CenterDirectory taken = CenterDirectory.take(data)) {
        taken.forget();
        Store.restore(file, store);
        taken.keep();
      }
    } catch (StoreException e) {
      FailureCode code =
          e.reason() == StoreException.Reason.MALFORMED
              ? FailureCode.USAGE
              : FailureCode.DIRECTORY_NOT_USABLE;
      throw new CenterException(code, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw notUsable(data, e);
    }
  }

  private static CenterException notUsable(Path data, Exception e) {
    return new CenterException(
        FailureCode.DIRECTORY_NOT_USABLE,
        "the center's directory %s cannot be used: %s".formatted(data, e.getMessage()),
        e);
  }

  private static Center start(
      CenterOptions options,
      Optional<HttpService> page,
      MergeCompiler merges,
      InstantSource clock,
      Consumer<String> log,
      Deque<AutoCloseable> parts)
      throws CenterException {
    try {
      parts.push(CenterDirectory.take(options.data()));
      ServerIdentity identity = ServerIdentity.open(options.data(), names(options), clock);
      Store store = Store.open(options.store(), clock, log);
      parts.push(store);
      SiteQuestions questions = new SiteQuestions();
      UplinkService uplink =
          new UplinkService(
              store, questions, identity.authority(), options.certificateValidity(), clock, log);
      AtomicReference<@Nullable Center> started = new AtomicReference<>();
      WebServerConfig.Builder listening =
          WebServer.builder()
              .shutdownHook(false)
              .host(options.host())
              .port(options.apiPort())
              .putSocket(SITES, sites(options, identity, uplink));
      ApiListener.configure(
          listening,
          identity.forPeople(),
          new ApiService(
              new ApiContext(
                  store,
                  questions,
                  merges,
                  identity.authority().certificate(),
                  options.data(),
                  options.version(),
                  clock.instant(),
                  () -> requireNonNull(started.get()).apiAddress(),
                  () -> requireNonNull(started.get()).siteAddress(),
                  options.provider(),
                  ApiContext.HEARTBEAT,
                  clock,
                  System::nanoTime,
                  log)),
          page);
      WebServer server = listening.build();
      server.start();
      parts.push(server::stop);
      parts.push(uplink);
      if (!server.isRunning()) {
        throw notListening(options, "is one of them taken?");
      }
      parts.push(upkeep(identity, log));
      parts.push(new Merger(store, merges, clock, log).start());
      parts.push(new FleetRunner(store, clock, log).start());
      SiteTokens tokens = new SiteTokens(store, identity.authority().certificate(), clock);
      FirstLogin login =
          new FirstLogin(
              options.data().resolve(LocalAccess.DIRECTORY),
              clock,
              options.provider().map(OidcOptions::issuer));
      Center center = new Center(options, store, tokens, login.offer(store), parts, server);
      started.set(center);
      LocalAccess.write(options.data(), URI.create(center.localAddress()), store.tokens());
      KeptAddress.of(options).write(options.data());
      return center;
    } catch (StoreException e) {
      throw new CenterException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    } catch (GeneralSecurityException | IOException e) {
      throw notUsable(options.data(), e);
    } catch (RuntimeException e) {
      throw listening(options, e);
    }
  }

  private static CenterException listening(CenterOptions options, RuntimeException e) {
    Throwable cause = Causes.innermost(e);
    if (cause instanceof IOException) {
      CenterException known = notListening(options, String.valueOf(cause.getMessage()));
      known.addSuppressed(e);
      return known;
    }
    throw e;
  }

  /** The server says in its log alone what it could not do. */
  private static CenterException notListening(CenterOptions options, String why) {
    return new CenterException(
        FailureCode.ADDRESS_IN_USE,
        "the center cannot listen on %s, ports %d and %d: %s"
            .formatted(options.host(), options.sitePort(), options.apiPort(), why));
  }

  private static ListenerConfig sites(
      CenterOptions options, ServerIdentity identity, UplinkService uplink) {
    return ListenerConfig.builder()
        .name(SITES)
        .host(options.host())
        .port(options.sitePort())
        .tls(
            tls -> tls.sslContext(unchecked(identity::forSites)).clientAuth(TlsClientAuth.OPTIONAL))
        .maxPayloadSize(Uplink.MAX_BODY_BYTES)
        .maxTcpConnections(MOST_CONNECTIONS)
        .idleConnectionTimeout(IDLE)
        .connectionOptions(socket -> socket.readTimeout(SILENCE).tcpNoDelay(true))
        .routing(HttpRouting.builder().register(Uplink.ROOT, uplink))
        .build();
  }

  private interface Making {
    SSLContext make() throws GeneralSecurityException;
  }

  private static SSLContext unchecked(Making making) {
    try {
      return making.make();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS: " + e.getMessage(), e);
    }
  }

  private static List<String> names(CenterOptions options) throws UnknownHostException {
    List<String> names = new ArrayList<>(options.names());
    if (!InetAddress.getByName(options.host()).isAnyLocalAddress()) {
      names.add(options.host());
    }
    return names;
  }

  /** Renews the center's own certificate while it runs. */
  private static AutoCloseable upkeep(ServerIdentity identity, Consumer<String> log) {
    CountDownLatch ending = new CountDownLatch(1);
    Thread.ofVirtual()
        .name("sedge-center-upkeep")
        .start(
            () -> {
              try {
                while (!ending.await(UPKEEP_HOURS, TimeUnit.HOURS)) {
                  renew(identity, log);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    return ending::countDown;
  }

  private static void renew(ServerIdentity identity, Consumer<String> log) {
    try {
      identity.renewIfDue();
    } catch (GeneralSecurityException | IOException e) {
      log.accept("the center's certificate is not renewed: " + e.getMessage());
    }
  }

  /** Whether a site has enrolled, ever. */
  public boolean hasSites() throws CenterException {
    try {
      return !store.sites().list().isEmpty();
    } catch (StoreException e) {
      throw new CenterException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Makes a token that lets one site in.
   *
   * @param site the name that it is for; empty for any
   */
  public String siteToken(Optional<String> site, Duration validFor) throws CenterException {
    try {
      return tokens.make(site, validFor).text();
    } catch (StoreException e) {
      throw new CenterException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    }
  }

  /** Where sites report: {@code host:port}. */
  public String siteAddress() {
    return address(server.port(SITES));
  }

  /** Where people and programs ask: {@code https://host:port}. */
  public String apiAddress() {
    return "https://" + address(server.port());
  }

  /** By which this machine reaches it, whatever names others use. */
  private String localAddress() throws UnknownHostException {
    boolean everywhere = InetAddress.getByName(options.host()).isAnyLocalAddress();
    return "https://%s:%d"
        .formatted(everywhere ? "localhost" : bracketed(options.host()), server.port());
  }

  static String bracketed(String host) {
    return host.contains(":") ? "[" + host + "]" : host;
  }

  /** The code with which the first person becomes an admin, once; empty if there is one. */
  public Optional<String> firstLogin() {
    return firstLogin;
  }

  /** Where a browser makes the first admin, by the same code, once; empty if there is one. */
  public Optional<String> firstLink() {
    return firstLogin.map(code -> FirstLogin.link(apiAddress(), code));
  }

  private String address(int port) {
    String host = options.names().isEmpty() ? options.host() : options.names().getFirst();
    return bracketed(host) + ":" + port;
  }

  /** Answers what is under way, and ends. */
  @Override
  public void close() {
    close(parts);
  }

  private static void close(Deque<AutoCloseable> parts) {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("closing the center", e);
      }
    }
  }
}
