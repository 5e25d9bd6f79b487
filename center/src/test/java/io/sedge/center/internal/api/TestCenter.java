package io.sedge.center.internal.api;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpService;
import io.sedge.center.OidcOptions;
import io.sedge.center.internal.uplink.SiteQuestions;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreOptions;
import io.sedge.identity.Authority;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The API over a store in a directory, on loopback with TLS of an authority of its own. */
public final class TestCenter implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final char[] NO_PASSWORD = new char[0];

  private final Path data;
  private final Store store;
  private final ApiService service;
  private final WebServer server;
  private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
  private final List<String> said = new CopyOnWriteArrayList<>();

  /** Starts one that a slow query does not make answer before it knows how the query ends. */
  public TestCenter(Path data) throws IOException, GeneralSecurityException, StoreException {
    this(data, Duration.ofMinutes(1));
  }

  /**
   * Starts one.
   *
   * @param heartbeat of queries without rows
   */
  public TestCenter(Path data, Duration heartbeat)
      throws IOException, GeneralSecurityException, StoreException {
    this(data, heartbeat, StoreOptions.embedded(data.resolve("store")), Optional.empty());
  }

  /** Starts one where people log in at a provider too. */
  TestCenter(Path data, OidcOptions provider)
      throws IOException, GeneralSecurityException, StoreException {
    this(
        data,
        ApiContext.HEARTBEAT,
        StoreOptions.embedded(data.resolve("store")),
        Optional.of(provider),
        Optional.empty());
  }

  /**
   * Starts one.
   *
   * @param page outside the API
   */
  TestCenter(Path data, Duration heartbeat, StoreOptions options, Optional<HttpService> page)
      throws IOException, GeneralSecurityException, StoreException {
    this(data, heartbeat, options, Optional.empty(), page);
  }

  private TestCenter(
      Path data,
      Duration heartbeat,
      StoreOptions options,
      Optional<OidcOptions> provider,
      Optional<HttpService> page)
      throws IOException, GeneralSecurityException, StoreException {
    this.data = data;
    this.store = Store.open(options, this::now, said::add);
    Authority authority = Authority.create(data.resolve("authority"), "center", Instant.now());
    this.service =
        new ApiService(
            new ApiContext(
                store,
                new SiteQuestions(),
                new TestScripts(),
                authority.certificate(),
                data,
                "test",
                Instant.now(),
                () -> address().toString(),
                () -> HOST + ":7440",
                provider,
                heartbeat,
                this::now,
                () -> System.nanoTime() + later.get().toNanos(),
                said::add));
    SSLContext tls = tls(authority);
    this.server =
        WebServer.builder()
            .host(HOST)
            .port(0)
            .update(builder -> ApiListener.configure(builder, tls, service, page))
            .build()
            .start();
    LocalAccess.write(data, address(), store.tokens());
  }

  /** The server's side of a host of this machine, which an authority vouches for. */
  public static SSLContext tls(Authority authority) throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();
    X509Certificate certificate =
        authority.sign(
            "center", keys.getPublic(), List.of(HOST), Instant.now(), Duration.ofDays(1));
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(
        "center",
        keys.getPrivate(),
        NO_PASSWORD,
        new Certificate[] {certificate, authority.certificate()});
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(own, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  Instant now() {
    return Instant.now().plus(later.get());
  }

  /** Lets the center's clocks go on. */
  void advance(Duration by) {
    later.updateAndGet(by::plus);
  }

  public URI address() {
    return URI.create("https://%s:%d".formatted(HOST, server.port()));
  }

  public Store store() {
    return store;
  }

  ApiService service() {
    return service;
  }

  Path data() {
    return data;
  }

  /** Changes the database past the center. */
  void execute(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + data.resolve("store/center.db"));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** What the log was told. */
  List<String> said() {
    return said;
  }

  /** A token with a role. */
  public String token(Role role) throws StoreException {
    String token = LocalAccess.newToken();
    store
        .tokens()
        .add(
            token,
            "test " + Access.name(role) + token.hashCode(),
            Permission.everywhere(role),
            Optional.empty());
    return token;
  }

  @Override
  public void close() {
    server.stop();
    store.close();
  }
}
