package io.sedge.center.internal.oidc;

import io.sedge.center.internal.oidc.ProviderException.Reason;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Asks a provider. An answer has {@value #MAX_BYTES} bytes at most, comes in time with all of its
 * body, and is never sought elsewhere. {@value #AT_ONCE} requests are under way at most. Any
 * thread.
 */
final class ProviderHttp implements AutoCloseable {
  static final int MAX_BYTES = 256 << 10;
  private static final int AT_ONCE = 16;

  private final HttpClient http;
  private final Duration patience;
  private final Semaphore free = new Semaphore(AT_ONCE);

  /**
   * @param authorities who may vouch for the provider, besides those that Java trusts
   * @param patience after how long there is no answer
   */
  ProviderHttp(List<X509Certificate> authorities, Duration patience) {
    this.patience = patience;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(patience)
            .sslContext(trusting(authorities))
            .executor(
                Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("sedge-login-provider-", 0).factory()))
            .build();
  }

  private static SSLContext trusting(List<X509Certificate> authorities) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      int count = 0;
      for (X509Certificate authority : authorities) {
        trusted.setCertificateEntry("own-" + count++, authority);
      }
      for (X509Certificate authority : ofJava()) {
        trusted.setCertificateEntry("java-" + count++, authority);
      }
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(trusted).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("TLS: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> ofJava() throws GeneralSecurityException {
    return Arrays.stream(trust(null).getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .flatMap(manager -> Arrays.stream(((X509TrustManager) manager).getAcceptedIssuers()))
        .toList();
  }

  private static TrustManagerFactory trust(@Nullable KeyStore trusted)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    return factory;
  }

  /** What was answered. */
  record Answer(int status, String body) {
    boolean isGood() {
      return status == 200;
    }

    /** Without the body, which may have tokens. */
    @Override
    public String toString() {
      return "Answer[status=%d]".formatted(status);
    }
  }

  /**
   * Reads what is at an address.
   *
   * @throws ProviderException AWAY, also for another status than 200; BUSY
   */
  String get(URI address) throws ProviderException, InterruptedException {
    Answer answer = send(HttpRequest.newBuilder(address).GET());
    if (!answer.isGood()) {
      throw unexpected(address, answer);
    }
    return answer.body();
  }

  /**
   * Sends a form.
   *
   * @param authorization a header; empty for none
   * @throws ProviderException AWAY; BUSY
   */
  Answer post(URI address, Map<String, String> form, Optional<String> authorization)
      throws ProviderException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(encoded(form)));
    authorization.ifPresent(value -> request.header("Authorization", value));
    return send(request);
  }

  static ProviderException unexpected(URI address, Answer answer) {
    return new ProviderException(
        Reason.AWAY, "the login provider answers %d at %s".formatted(answer.status(), address));
  }

  /** Pairs as they stand in a form, or after {@code ?}. */
  static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + encoded(entry.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private Answer send(HttpRequest.Builder request) throws ProviderException, InterruptedException {
    if (!free.tryAcquire()) {
      throw new ProviderException(
          Reason.BUSY, "the login provider is asked as often as may be at once: come again");
    }
    try {
      return answer(request.header("Accept", "application/json").build());
    } finally {
      free.release();
    }
  }

  private Answer answer(HttpRequest request) throws ProviderException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> asked =
        http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
    try {
      HttpResponse<byte[]> answer = asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
    } catch (TimeoutException e) {
      throw away(request, "no whole answer came within %d ms".formatted(patience.toMillis()), e);
    } catch (ExecutionException e) {
      throw away(request, told(e.getCause() == null ? e : e.getCause()), e);
    } finally {
      // Does nothing where there was an answer.
      var _ = asked.cancel(true);
    }
  }

  private static String told(Throwable cause) {
    String text =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return isNotTrusted(cause)
        ? text + "; name the authority that vouches for it with ca = FILE"
        : text;
  }

  /** Whether nobody vouches for the provider; a certificate may be wrong in other ways. */
  private static boolean isNotTrusted(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(CertPathBuilderException.class::isInstance);
  }

  private static ProviderException away(HttpRequest request, String why, Exception cause) {
    return new ProviderException(
        Reason.AWAY,
        "the login provider does not answer at %s: %s".formatted(request.uri(), why),
        cause);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
